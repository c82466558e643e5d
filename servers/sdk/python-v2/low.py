"""The smallest correct server on the low-level Server of PyPI `mcp` 2.x.  `--http PORT`: 127.0.0.1:PORT/mcp."""
import asyncio
import json
import math
import signal
import sys

import jsonschema
import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

NAMES = ["Ada", "Alan", "Grace"]
NOTES = {"note://one": "The first note.", "note://two": "The second note."}


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def number(is_what):
    return {"type": "number", "description": is_what}


def tool(name, does, takes, gives=None):
    return types.Tool(name=name, title=name.capitalize(), description=does, input_schema=takes, output_schema=gives,
                      annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False))


TOOLS = [
    tool("echo", "Returns the text that it is given, unchanged.",
         schema(text={"type": "string", "description": "What to say back"})),
    tool("add", "Adds two numbers and returns their sum.",
         schema(a=number("The first number"), b=number("The second number")), schema(sum=number("The sum of both"))),
    tool("fail", "Always fails, to show how a failure of a tool is reported.", schema()),
]


def invalid(message):
    return MCPError(types.INVALID_PARAMS, message)


def refuse_cursor(params):
    """Every list is one page, so no cursor is ever valid."""
    if params and params.cursor is not None:
        raise invalid("unknown cursor")


async def list_tools(ctx, params):
    refuse_cursor(params)
    return types.ListToolsResult(tools=TOOLS)


def text_result(text, **rest):
    return types.CallToolResult(content=[types.TextContent(text=text)], **rest)


async def call_tool(ctx, params):
    known = next((t for t in TOOLS if t.name == params.name), None)
    if known is None:
        raise invalid(f"unknown tool: {params.name}")
    arguments = params.arguments or {}
    try:  # 2.x leaves this to the handler; a model can correct what it reads in a result
        jsonschema.validate(arguments, known.input_schema)
    except jsonschema.ValidationError as wrong:
        return text_result(f"invalid arguments: {wrong.message}", is_error=True)
    if params.name == "echo":
        return text_result(arguments["text"])
    if params.name == "add":
        try:
            total = arguments["a"] + arguments["b"]
            if not math.isfinite(total):  # JSON has no infinity
                raise OverflowError
        except OverflowError:
            return text_result("the sum is too large", is_error=True)
        return text_result(json.dumps({"sum": total}), structured_content={"sum": total})
    return text_result("this tool always fails", is_error=True)


async def list_prompts(ctx, params):
    refuse_cursor(params)
    name = types.PromptArgument(name="name", description="Whom to greet", required=True)
    greet = types.Prompt(name="greet", title="Greet", description="Asks for a greeting.", arguments=[name])
    return types.ListPromptsResult(prompts=[greet])


async def get_prompt(ctx, params):
    if params.name != "greet":
        raise invalid(f"unknown prompt: {params.name}")
    if "name" not in (params.arguments or {}):
        raise invalid("the argument name is missing")
    text = types.TextContent(text=f"Write a short greeting for {params.arguments['name']}.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


async def list_resources(ctx, params):
    refuse_cursor(params)
    one = types.Resource(
        uri="note://one", name="note-one", title="Note one",
        description="The first note.", mime_type="text/plain",
    )
    return types.ListResourcesResult(resources=[one])


async def list_resource_templates(ctx, params):
    refuse_cursor(params)
    note = types.ResourceTemplate(
        uri_template="note://{id}", name="note", title="A note",
        description="A note by its id.", mime_type="text/plain",
    )
    return types.ListResourceTemplatesResult(resource_templates=[note])


async def read_resource(ctx, params):
    if params.uri not in NOTES:
        # 2026-07-28 replaced -32002 by -32602; the SDK has a constant for neither meaning
        code = types.INVALID_PARAMS if ctx.protocol_version >= "2026-07-28" else -32002
        raise MCPError(code, "Resource not found", {"uri": params.uri})
    text = types.TextResourceContents(uri=params.uri, mime_type="text/plain", text=NOTES[params.uri])
    return types.ReadResourceResult(contents=[text])


async def complete(ctx, params):
    if isinstance(params.ref, types.PromptReference):
        known = {"name": NAMES} if params.ref.name == "greet" else {}
    else:
        known = {"id": ["one", "two"]} if params.ref.uri == "note://{id}" else {}
    if params.argument.name not in known:
        raise invalid("unknown reference or argument")
    values = [v for v in known[params.argument.name] if v.lower().startswith(params.argument.value.lower())]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))


async def set_logging_level(ctx, params):
    """Declares the logging capability; the server has nothing to log, so there is nothing to filter."""
    return types.EmptyResult()


server = Server(
    "smallest_mcp", title="Smallest", version="1.0.0", instructions="Echoes, adds and greets.",
    on_list_tools=list_tools, on_call_tool=call_tool, on_list_prompts=list_prompts, on_get_prompt=get_prompt,
    on_list_resources=list_resources, on_list_resource_templates=list_resource_templates,
    on_read_resource=read_resource, on_completion=complete, on_set_logging_level=set_logging_level,
)


async def stdio():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Ctrl-C waits for the thread that reads stdin
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        import uvicorn

        # A client's open event stream must not keep the process from ending.
        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[2]), timeout_graceful_shutdown=2)
    else:
        asyncio.run(stdio())
