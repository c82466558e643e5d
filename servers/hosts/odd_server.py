#!/usr/bin/env python3
"""An MCP server by hand with one oddity, over stdio or Streamable HTTP.

    odd_server.py JSON
    odd_server.py --http PORT JSON      at http://127.0.0.1:PORT/mcp

JSON is an object; all members are optional:

tools, resources, prompts  what is listed, as it is
results                    {tool name, URI or prompt name: the result}
members                    {method: members to put into its result}; the value "!absent" removes one
lines                      {method: the answer as it is written}, with $ID and $RESULT
encoding                   {method: the encoding of its answer}
before                     text before the first answer, without a newline
http                       {redirect, status, content_type, sse, cookie, expire}: see class Http

In place of a value, {"!deep": N} is N arrays in each other and {"!text": N} is a string of N letters.
"""

import http.server
import json
import sys

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def expand(value):
    if "!deep" in value:
        deep = []
        for _ in range(value["!deep"] - 1):
            deep = [deep]
        return deep
    if "!text" in value:
        return "x" * value["!text"]
    return value


class NoSuchMethod(Exception):
    pass


class Server:
    def __init__(self, odd):
        self.odd = odd

    def result(self, method, params):
        odd, results = self.odd, self.odd.get("results", {})
        match method:
            case "initialize":
                asked = params.get("protocolVersion")
                result = {
                    "protocolVersion": asked if asked in REVISIONS else REVISIONS[-1],
                    "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                    "serverInfo": {"name": "odd", "version": "1.0.0"},
                }
            case "ping":
                result = {}
            case "tools/list" | "resources/list" | "prompts/list":
                kind = method.partition("/")[0]
                result = {kind: odd.get(kind, [])}
            case "resources/templates/list":
                result = {"resourceTemplates": []}
            case "tools/call":
                result = results.get(params["name"], {"content": [{"type": "text", "text": "ok"}]})
            case "resources/read":
                result = results.get(params["uri"], {"contents": [{"uri": params["uri"], "text": "ok"}]})
            case "prompts/get":
                result = results.get(params["name"], {"messages": [{"role": "user", "content": {"type": "text", "text": "ok"}}]})
            case _:
                raise NoSuchMethod(method)
        result = result | odd.get("members", {}).get(method, {})
        return {name: value for name, value in result.items() if value != "!absent"}

    def answer(self, message):
        """The answer as it is written, or None for what is no request."""
        method, id = message.get("method"), message.get("id")
        if method is None or id is None:
            return None
        try:
            result = self.result(method, message.get("params") or {})
        except NoSuchMethod:
            return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": f"no method {method}"}})
        line = self.odd.get("lines", {}).get(method)
        if line is None:
            return json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, ensure_ascii=False)
        return line.replace("$ID", json.dumps(id)).replace("$RESULT", json.dumps(result, ensure_ascii=False))

    def encoded(self, message):
        answer = self.answer(message)
        return answer and answer.encode(self.odd.get("encoding", {}).get(message["method"], "utf-8"))


def stdio(server):
    out = sys.stdout.buffer
    out.write(server.odd.get("before", "").encode())
    out.flush()
    for line in sys.stdin.buffer:
        answer = server.encoded(json.loads(line))
        if answer is not None:
            out.write(answer + b"\n")
            out.flush()


class Http(http.server.BaseHTTPRequestHandler):
    """Members of `http`, each {method: value} unless said otherwise:

    redirect      {status, to}: /mcp redirects to `to`, where {port} is replaced; the server answers at every path
    status        the HTTP status of the answer; its body stays the answer
    content_type  the answer's Content-Type, null for none
    sse           the answer as an event stream, with $ANSWER
    cookie        a list of methods that are refused without the cookie that initialize sets
    expire        a method after which all sessions are forgotten, once
    """

    protocol_version = "HTTP/1.1"
    server_version = "odd"
    sessions, made, expired = set(), 0, False

    def do_POST(self):
        odd = self.mcp.odd.get("http", {})
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, redirect = message.get("method"), odd.get("redirect")
        if redirect and self.path == "/mcp":
            return self.reply(redirect["status"], b"", {"Location": redirect["to"].replace("{port}", str(self.server.server_port))})
        # The probe of a client that knows newer revisions has no session either.
        if method not in ("initialize", "server/discover") and self.headers.get("Mcp-Session-Id") not in Http.sessions:
            return self.reply(404, b"")
        if method in odd.get("cookie", []) and "odd=1" not in self.headers.get("Cookie", ""):
            return self.reply(400, b"")
        more = {}
        if method == "initialize":
            Http.made += 1
            more = {"Mcp-Session-Id": f"session-{Http.made}"} | ({"Set-Cookie": "odd=1"} if "cookie" in odd else {})
            Http.sessions.add(f"session-{Http.made}")
        if method == odd.get("expire") and not Http.expired:
            Http.sessions.clear()
            Http.expired = True
        answer = self.mcp.encoded(message)
        if answer is None:
            return self.reply(202, b"", more)
        sse = odd.get("sse", {}).get(method)
        if sse is not None:
            self.close_connection = True
            return self.reply(200, sse.encode().replace(b"$ANSWER", answer), more | {"Content-Type": "text/event-stream"}, ends=True)
        kind = odd.get("content_type", {}).get(method, "application/json")
        self.reply(odd.get("status", {}).get(method, 200), answer, more | ({"Content-Type": kind} if kind else {}))

    def do_GET(self):
        self.reply(405, b"")

    do_DELETE = do_GET

    def reply(self, status, body, more={}, ends=False):
        self.send_response(status)
        for name, value in more.items():
            self.send_header(name, value)
        self.send_header("Connection", "close") if ends else self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main(words):
    if not words:
        sys.exit(__doc__)
    server = Server(json.loads(words[-1], object_hook=expand))
    if words[0] != "--http":
        return stdio(server)
    Http.mcp = server
    http.server.ThreadingHTTPServer(("127.0.0.1", int(words[1])), Http).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
