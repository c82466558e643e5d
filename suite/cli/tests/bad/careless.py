"""A server with one tool, `count`, and one careless habit.

slows: works on one message after the other, and for eight milliseconds for each unit of the number `n` that it is given.
lingers: the same, but for 0.4 seconds whatever it is given.
aborts: ends over a number that a double cannot tell from its neighbour.
ignores: never answers a call whose arguments do not satisfy the schema.
broken: fails with every call.
saves FILE: writes a line to the file when it starts, and another when its input ends.
locks FILE: ends at once while another process of it holds a lock on the file.
"""

import fcntl
import json
import os
import sys
import time

way = sys.argv[1]

TOOL = {
    "name": "count",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def result(text, failed=False):
    return {"result": {"content": [{"type": "text", "text": text}], "isError": failed}}


def count(params):
    if not isinstance(params, dict) or params.get("name") != "count":
        return {"error": {"code": -32602, "message": "no such tool"}}
    arguments = params.get("arguments")
    n = arguments.get("n") if isinstance(arguments, dict) else None
    if way == "broken":
        return result("cannot reach the database", True)
    if way == "ignores" and (not isinstance(n, int) or isinstance(n, bool)):
        return None
    if not isinstance(n, int) or isinstance(n, bool):
        return result("n is to be an integer", True)
    if way == "slows" and 0 <= n < 200:
        time.sleep(n * 0.008)
    if way == "aborts" and abs(n) >= 2**53:
        os.abort()
    if way == "lingers":
        time.sleep(0.4)
    return result("counted to %d" % n)


def answer(request):
    method = request.get("method")
    if method == "initialize":
        params = request.get("params")
        version = params.get("protocolVersion") if isinstance(params, dict) else None
        if not isinstance(version, str):
            return {"error": {"code": -32602, "message": "no protocolVersion"}}
        able = {"tools": {}}
        return {"result": {"protocolVersion": version, "capabilities": able, "serverInfo": {"name": "careless", "version": "1"}}}
    if method == "tools/list":
        return {"result": {"tools": [TOOL]}}
    if method == "tools/call":
        return count(request.get("params"))
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": "no such method"}}


if way == "locks":
    lock = open(sys.argv[2], "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit("database is locked")


def note(what):
    if way == "saves":
        with open(sys.argv[2], "a") as file:
            file.write(what + "\n")


note("started")
for line in sys.stdin.buffer:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        continue
    if isinstance(request, dict) and "id" in request and "method" in request:
        said = answer(request)
        if said is not None:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **said}) + "\n")
            sys.stdout.flush()
note("saved")
