"""A server that answers the handshake and ping; its arguments make it bad in one way.

banner: prints lines before it speaks JSON. latin: answers in bytes that are no UTF-8. family: starts processes that
would outlive it, one of them in a session of its own. stubborn: stays when it is asked to end. stall FILE: answers
nothing after the handshake and makes the file once it was asked.
"""

import json
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


def answer(request):
    method = request.get("method")
    if method == "initialize":
        version = request["params"]["protocolVersion"]
        return {"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "bad", "version": "1"}}}
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
