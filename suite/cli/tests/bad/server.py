"""A server that answers the handshake and ping; its arguments make it bad in one way.

banner: prints lines before it speaks JSON. latin: answers in bytes that are no UTF-8. family: starts processes that
would outlive it, one of them in a session of its own. stubborn: stays when it is asked to end. stall FILE: answers
nothing after the handshake and makes the file once it was asked. steady: has a tool that takes its
time, and answers one call after another. disowns: answers server/discover, and refuses what it does not name there.
wordy, beside steady: that tool has a long description.
once FILE: ends over the first valid call of that tool, and makes the file; while that is there it does not.
"""

import json
import os
import signal
import subprocess
import sys
import time

ways = set(sys.argv[1:])
out = sys.stdout.buffer


def send(message):
    text = json.dumps(message).encode()
    if "latin" in ways:
        text = text.replace(b"name", b"na\xff\xfeme")
    out.write(text + b"\n")
    out.flush()


TOOL = {
    "name": "work",
    "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]},
    "annotations": {"readOnlyHint": True},
}
if "wordy" in ways:
    TOOL["description"] = "a word " * 70_000


def work(params):
    if not isinstance(params, dict) or params.get("name") != "work":
        return {"error": {"code": -32602, "message": "no such tool"}}
    time.sleep(0.1)
    arguments = params.get("arguments")
    good = isinstance(arguments, dict) and isinstance(arguments.get("what"), str)
    if good and "once" in ways and not os.path.exists(sys.argv[-1]):
        open(sys.argv[-1], "w").close()
        os._exit(1)
    return {"result": {"content": [{"type": "text", "text": "done" if good else "what?"}], "isError": not good}}


def answer(request):
    method = request.get("method")
    if method == "initialize":
        version = request["params"]["protocolVersion"]
        able = {"tools": {}} if "steady" in ways else {}
        return {"result": {"protocolVersion": version, "capabilities": able, "serverInfo": {"name": "bad", "version": "1"}}}
    if "steady" in ways and method == "tools/list":
        return {"result": {"tools": [TOOL]}}
    if "steady" in ways and method == "tools/call":
        return work(request.get("params"))
    if "disowns" in ways and method == "server/discover":
        return {"result": {"supportedVersions": ["2025-11-25"], "capabilities": {}, "resultType": "complete"}}
    if "disowns" in ways and "io.modelcontextprotocol/protocolVersion" in json.dumps(request):
        data = {"supported": ["2025-11-25"], "requested": "2026-07-28"}
        return {"error": {"code": -32022, "message": "unsupported version", "data": data}}
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": "no such method"}}


if "banner" in ways:
    out.write(b"Welcome to the server!\nlistening on stdio\n")
    out.flush()
if "family" in ways:
    for own_session in (False, True):
        subprocess.Popen(["sleep", "600"], start_new_session=own_session)
if "stubborn" in ways:
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
for line in sys.stdin.buffer:
    try:
        request = json.loads(line)
    except ValueError:
        continue
    if isinstance(request, dict) and "id" in request and "method" in request:
        if "stall" in ways and request["method"] not in ("initialize", "server/discover"):
            open(sys.argv[2], "w").close()
            continue
        send({"jsonrpc": "2.0", "id": request["id"], **answer(request)})
while "stubborn" in ways:
    time.sleep(600)
