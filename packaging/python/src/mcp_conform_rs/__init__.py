"""Tests whether an MCP server conforms to the specification: the program `mcp-conform`, as a package."""
