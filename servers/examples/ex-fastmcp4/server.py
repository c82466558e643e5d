"""FastMCP 4 as its manual shows it, with pages of two: stdio, or Streamable HTTP with the arguments `http PORT`."""
import sys
import time

from fastmcp import FastMCP
from pydantic import BaseModel


class Sum(BaseModel):
    sum: int


server = FastMCP("example-fastmcp", list_page_size=2)


@server.tool(annotations={"readOnlyHint": True})
def add(a: int, b: int) -> Sum:
    """Adds two integers."""
    return Sum(sum=a + b)


@server.tool
def echo(text: str) -> str:
    """Says it again."""
    return text


@server.tool
def boom() -> str:
    """Always raises."""
    raise RuntimeError("boom happened")


@server.tool
def grow() -> str:
    """Adds a tool."""

    def grown() -> str:
        return "new"

    grown.__name__ = f"grown{time.time_ns()}"
    server.tool(grown)
    return "grown"


@server.resource("demo://greeting")
def greeting() -> str:
    return "hello"


@server.prompt
def greet(name: str) -> str:
    return "Hi " + name


if sys.argv[1:2] == ["http"]:
    server.run("http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
else:
    server.run(show_banner=False)
