"""The smallest correct server on the low-level Server of PyPI `mcp` 1.x.  `--http PORT`: 127.0.0.1:PORT/mcp."""
import asyncio
import contextlib
import math
import signal
import sys

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.shared.exceptions import McpError

NAMES = ["Ada", "Alan", "Grace"]
NOTES = {"note://one": "The first note.", "note://two": "The second note."}


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def number(is_what):
    return {"type": "number", "description": is_what}


def tool(name, does, takes, gives=None):
    return types.Tool(name=name, title=name.capitalize(), description=does, inputSchema=takes, outputSchema=gives,
                      annotations=types.ToolAnnotations(readOnlyHint=True, openWorldHint=False))


TOOLS = [
    tool("echo", "Returns the text that it is given, unchanged.",
         schema(text={"type": "string", "description": "What to say back"})),
    tool("add", "Adds two numbers and returns their sum.",
         schema(a=number("The first number"), b=number("The second number")), schema(sum=number("The sum of both"))),
    tool("fail", "Always fails, to show how a failure of a tool is reported.", schema()),
]
server = Server("smallest_mcp", version="1.0.0", instructions="Echoes, adds and greets.")


def invalid(message):
    return McpError(types.ErrorData(code=types.INVALID_PARAMS, message=message))


def refuse_cursor(request):
    """Every list is one page, so no cursor is ever valid.  The SDK passes no request when it lists for itself."""
    if request and request.params and request.params.cursor is not None:
        raise invalid("unknown cursor")


@server.list_tools()
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    refuse_cursor(request)
    return types.ListToolsResult(tools=TOOLS)


@server.call_tool()  # validates the arguments against the tool's inputSchema
async def call_tool(name, arguments):
    if name == "echo":
        return [types.TextContent(type="text", text=arguments["text"])]
    if name == "add":
        total = arguments["a"] + arguments["b"]
        if not math.isfinite(total):  # JSON has no infinity
            return failure("the sum is too large")
        return {"sum": total}  # the SDK adds the same JSON as text
    if name == "fail":
        return failure("this tool always fails")
    raise invalid(f"unknown tool: {name}")


def failure(text):
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], isError=True)


@server.list_prompts()
async def list_prompts(request: types.ListPromptsRequest) -> types.ListPromptsResult:
    refuse_cursor(request)
    name = types.PromptArgument(name="name", description="Whom to greet", required=True)
    greet = types.Prompt(name="greet", title="Greet", description="Asks for a greeting.", arguments=[name])
    return types.ListPromptsResult(prompts=[greet])


@server.get_prompt()
async def get_prompt(name, arguments):
    if name != "greet":
        raise invalid(f"unknown prompt: {name}")
    if "name" not in (arguments or {}):
        raise invalid("the argument name is missing")
    text = types.TextContent(type="text", text=f"Write a short greeting for {arguments['name']}.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


@server.list_resources()
async def list_resources(request: types.ListResourcesRequest) -> types.ListResourcesResult:
    refuse_cursor(request)
    one = types.Resource(
        uri="note://one", name="note-one", title="Note one",
        description="The first note.", mimeType="text/plain",
    )
    return types.ListResourcesResult(resources=[one])


@server.list_resource_templates()  # 1.x hands over no request here, so no cursor to refuse
async def list_resource_templates():
    note = types.ResourceTemplate(
        uriTemplate="note://{id}", name="note", title="A note",
        description="A note by its id.", mimeType="text/plain",
    )
    return [note]


@server.read_resource()
async def read_resource(uri):
    if str(uri) not in NOTES:
        # -32002 (the SDK has no constant for it) is what every revision 1.x speaks wants
        raise McpError(types.ErrorData(code=-32002, message="Resource not found", data={"uri": str(uri)}))
    return [ReadResourceContents(content=NOTES[str(uri)], mime_type="text/plain")]


@server.completion()
async def complete(ref, argument, context):
    if isinstance(ref, types.PromptReference):
        known = {"name": NAMES} if ref.name == "greet" else {}
    else:
        known = {"id": ["one", "two"]} if ref.uri == "note://{id}" else {}
    if argument.name not in known:
        raise invalid("unknown reference or argument")
    values = [v for v in known[argument.name] if v.lower().startswith(argument.value.lower())]
    return types.Completion(values=values, total=len(values), hasMore=False)


@server.set_logging_level()
async def set_logging_level(level):
    """Declares the logging capability; the server has nothing to log, so there is nothing to filter."""


async def stdio():
    from mcp.server.stdio import stdio_server

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Ctrl-C waits for the thread that reads stdin
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http(port):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import Route
    from mcp.server.fastmcp.server import StreamableHTTPASGIApp
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    # Off unless asked for at this level: without it the server accepts every Origin.
    local = TransportSecuritySettings(allowed_hosts=["127.0.0.1:*", "localhost:*"],
                                      allowed_origins=["http://127.0.0.1:*", "http://localhost:*"])
    manager = StreamableHTTPSessionManager(server, security_settings=local)

    @contextlib.asynccontextmanager
    async def lifespan(app):
        async with manager.run():
            yield

    app = Starlette(routes=[Route("/mcp", StreamableHTTPASGIApp(manager))], lifespan=lifespan)
    # A client's open event stream must not keep the process from ending.
    uvicorn.run(app, host="127.0.0.1", port=port, timeout_graceful_shutdown=2)


if __name__ == "__main__":
    http(int(sys.argv[2])) if sys.argv[1:2] == ["--http"] else asyncio.run(stdio())
