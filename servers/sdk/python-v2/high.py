"""The smallest correct server on MCPServer of PyPI `mcp` 2.x.  `--http PORT`: 127.0.0.1:PORT/mcp."""
import signal
import sys
from typing import Annotated

from pydantic import BaseModel, Field

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Completion, PromptReference, ToolAnnotations

NAMES = ["Ada", "Alan", "Grace"]
NOTES = {"one": "The first note.", "two": "The second note."}
READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)

mcp = MCPServer("smallest_mcp", title="Smallest", version="1.0.0", instructions="Echoes, adds and greets.")


class Sum(BaseModel):
    sum: float = Field(description="The sum of both numbers")


@mcp.tool(title="Echo", annotations=READ_ONLY)
def echo(text: Annotated[str, Field(description="What to say back")]) -> str:
    """Returns the text that it is given, unchanged."""
    return text


@mcp.tool(title="Add", annotations=READ_ONLY)
def add(
    a: Annotated[float, Field(description="The first number", allow_inf_nan=False)],
    b: Annotated[float, Field(description="The second number", allow_inf_nan=False)],
) -> Sum:
    """Adds two numbers and returns their sum."""
    total = a + b
    if total in (float("inf"), float("-inf")):  # JSON has no infinity
        raise ToolError("the sum is too large")
    return Sum(sum=total)


@mcp.tool(title="Fail", annotations=READ_ONLY)
def fail() -> str:
    """Always fails, to show how a failure of a tool is reported."""
    raise ToolError("this tool always fails")


@mcp.prompt(title="Greet")
def greet(name: Annotated[str, Field(description="Whom to greet")]) -> str:
    """Asks for a greeting."""
    return f"Write a short greeting for {name}."


@mcp.resource("note://one", name="note-one", title="Note one", mime_type="text/plain")
def note_one() -> str:
    """The first note."""
    return NOTES["one"]


@mcp.resource("note://{id}", name="note", title="A note", mime_type="text/plain")
def note(id: str) -> str:
    """A note by its id."""
    if id not in NOTES:
        raise ResourceNotFoundError(f"there is no note {id!r}")
    return NOTES[id]


@mcp.completion()
async def complete(ref, argument, context):
    if isinstance(ref, PromptReference):
        known = {"name": NAMES} if ref.name == "greet" else {}
    else:
        known = {"id": list(NOTES)} if ref.uri == "note://{id}" else {}
    if argument.name not in known:
        raise MCPError(INVALID_PARAMS, "unknown reference or argument")
    values = [v for v in known[argument.name] if v.lower().startswith(argument.value.lower())]
    return Completion(values=values, total=len(values), has_more=False)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        mcp.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Ctrl-C waits for the thread that reads stdin
        mcp.run("stdio")
