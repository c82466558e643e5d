import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "./act.mjs";

await run(Client, StdioClientTransport, StreamableHTTPClientTransport);
