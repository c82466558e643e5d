"""The control: a stdio server without an SDK, written to be right from 2024-11-05 to 2025-11-25. Any finding on it is a false alarm."""
import json
import sys

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NO_ARGUMENTS = {"type": "object", "additionalProperties": False}
INTEGER = {"type": "integer"}
TOOLS = [
    {
        "name": "add",
        "description": "Adds two integers.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": INTEGER, "b": INTEGER},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": {"sum": INTEGER}, "required": ["sum"]},
        "annotations": {"readOnlyHint": True},
    },
    {"name": "boom", "description": "Always fails.", "inputSchema": NO_ARGUMENTS},
]


class Refusal(Exception):
    """A JSON-RPC error in the making."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Session:
    """What one connection has agreed on."""

    def __init__(self):
        self.revision = None

    def initialize(self, params):
        if self.revision is not None:
            raise Refusal(INVALID_REQUEST, "already initialized")
        for name, kind in (("protocolVersion", str), ("capabilities", dict), ("clientInfo", dict)):
            if not isinstance(params.get(name), kind):
                raise Refusal(INVALID_PARAMS, f"initialize needs {name}")
        wanted = params["protocolVersion"]
        self.revision = wanted if wanted in REVISIONS else REVISIONS[-1]
        return {
            "protocolVersion": self.revision,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "example-hand-clean", "version": "1.0.0"},
        }

    def serve(self, method, params):
        if method == "ping":
            return {}
        if method == "initialize":
            return self.initialize(params)
        if method not in ("tools/list", "tools/call"):
            raise Refusal(METHOD_NOT_FOUND, f"no such method: {method}")
        if self.revision is None:
            raise Refusal(INVALID_REQUEST, "initialize first")
        return list_tools(params) if method == "tools/list" else call_tool(params)

    def answer(self, message, in_batch=False):
        """The response to one message, None for what gets no response."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return error(None, INVALID_REQUEST, "not a JSON-RPC 2.0 message")
        if "method" not in message and ("result" in message or "error" in message):
            return None  # a stray response
        ident = message.get("id")
        ident = ident if type(ident) in (str, int) else None
        if not isinstance(message.get("method"), str) or ("id" in message and ident is None):
            return error(ident, INVALID_REQUEST, "not a valid request")
        if "id" not in message:
            return None  # a notification
        params = message.get("params", {})
        try:
            if not isinstance(params, dict):
                raise Refusal(INVALID_PARAMS, "params must be an object")
            if in_batch and message["method"] == "initialize":
                raise Refusal(INVALID_REQUEST, "initialize must not be part of a batch")
            return {"jsonrpc": "2.0", "id": ident, "result": self.serve(message["method"], params)}
        except Refusal as refusal:
            return error(ident, refusal.code, str(refusal))

    def answer_line(self, line):
        """The response to one line; an array is a batch in 2025-03-26 and no message at all in other revisions."""
        try:
            message = json.loads(line.decode("utf-8"), parse_constant=no_constant)
        except (ValueError, RecursionError):
            return error(None, PARSE_ERROR, "not JSON")
        if isinstance(message, list) and message and self.revision == "2025-03-26":
            answers = [self.answer(element, in_batch=True) for element in message]
            return [answer for answer in answers if answer is not None] or None
        return self.answer(message)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def error(ident, code, message):
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}


def list_tools(params):
    if "cursor" in params:
        raise Refusal(INVALID_PARAMS, "there is one page only, no cursor was issued")
    return {"tools": TOOLS}


def call_tool(params):
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise Refusal(INVALID_PARAMS, "tools/call needs a name, and an object as arguments")
    if name == "boom":
        return failure("boom takes no arguments" if arguments else "boom happened")
    if name != "add":
        raise Refusal(INVALID_PARAMS, f"unknown tool: {name}")
    if set(arguments) != {"a", "b"} or not all(map(is_integer, arguments.values())):
        return failure("add needs the integers a and b and nothing else")
    result = {"sum": int(arguments["a"]) + int(arguments["b"])}
    return {"content": [{"type": "text", "text": json.dumps(result)}], "structuredContent": result}


def is_integer(value):
    """As JSON Schema has it: 1.0 is an integer, true is none."""
    return type(value) is int or (type(value) is float and value.is_integer())


def failure(text):
    return {"content": [{"type": "text", "text": text}], "isError": True}


def main():
    session = Session()
    for line in sys.stdin.buffer:
        answer = session.answer_line(line) if line.strip() else None
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


main()
