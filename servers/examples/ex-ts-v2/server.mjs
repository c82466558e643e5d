// The TypeScript SDK 2.x as its manual shows it: stdio, or Streamable HTTP with the arguments `http PORT` (both eras, no sessions).
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import http from 'node:http';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function build() {
  const server = new McpServer({ name: 'example-ts-v2', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds two integers.',
      inputSchema: z.object({ a: z.number().int(), b: z.number().int() }),
      outputSchema: z.object({ sum: z.number().int() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => {
      const result = { sum: a + b };
      return { ...text(JSON.stringify(result)), structuredContent: result };
    },
  );
  const words = z.object({ text: z.string() }).strict();
  server.registerTool('echo', { description: 'Says it again.', inputSchema: words }, async (args) => text(args.text));
  server.registerTool('boom', { description: 'Always throws.' }, async () => {
    throw new Error('boom happened');
  });
  server.registerTool('grow', { description: 'Adds a tool.' }, async () => {
    server.registerTool('grown' + Date.now(), { description: 'New.' }, async () => text('new'));
    return text('grown');
  });
  server.registerResource('greeting', 'demo://greeting', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }));
  server.registerPrompt('greet', { description: 'Greets.', argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hi ' + name } }],
  }));
  return server;
}

function serveHttp(port) {
  const handler = createMcpHandler(build);
  const listener = http.createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const bare = ['GET', 'HEAD'].includes(incoming.method);
    const url = `http://127.0.0.1:${port}${incoming.url}`;
    const request = { method: incoming.method, headers: incoming.headers, body: bare ? undefined : body };
    const response = await handler.fetch(new Request(url, request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  });
  listener.listen(port, '127.0.0.1');
}

if (process.argv[2] === 'http') serveHttp(Number(process.argv[3]));
else serveStdio(build);
