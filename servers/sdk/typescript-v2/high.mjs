// The smallest correct server on the TypeScript SDK 2.x, high-level: McpServer. Run as `node high.mjs` or `node high.mjs --http PORT`.
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { completable, createMcpHandler, McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const notes = { one: 'The first note.', two: 'The second note.' };
const names = ['Ada', 'Alan', 'Grace'];
const annotations = { readOnlyHint: true, openWorldHint: false };
const startingWith = (values) => (typed) => values.filter((value) => value.startsWith(typed));

function build() {
  const server = new McpServer({ name: 'smallest-mcp-server', version: '1.0.0' }, { capabilities: { logging: {} } });

  server.registerTool(
    'echo',
    {
      title: 'Echo',
      description: 'Returns the text it is given, unchanged.',
      inputSchema: z.object({ text: z.string().describe('What to say') }),
      annotations,
    },
    async ({ text }, ctx) => {
      await ctx.mcpReq.log('info', 'echo was called', 'echo');
      return { content: [{ type: 'text', text }] };
    },
  );
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers and returns the sum.',
      inputSchema: z.object({ a: z.number().describe('One number'), b: z.number().describe('The other') }),
      outputSchema: z.object({ sum: z.number().describe('The sum') }),
      annotations,
    },
    async ({ a, b }) => {
      const structuredContent = { sum: a + b };
      // JSON has no infinity.
      if (!Number.isFinite(structuredContent.sum)) throw new Error('The sum is too large.');
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool('fail', { title: 'Fail', description: 'Returns an error whenever it is called.', annotations }, async () => {
    throw new Error('This tool always fails.');
  });

  server.registerPrompt(
    'greet',
    {
      title: 'Greet',
      description: 'Asks for a greeting.',
      argsSchema: z.object({ name: completable(z.string().describe('Who to greet'), startingWith(names)) }),
    },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Please greet ${name}.` } }] }),
  );

  server.registerResource(
    'one',
    'note://one',
    { title: 'Note one', description: 'The first note.', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes.one }] }),
  );
  server.registerResource(
    'note',
    new ResourceTemplate('note://{id}', { list: undefined, complete: { id: startingWith(Object.keys(notes)) } }),
    { title: 'Note', description: 'A note by its id.', mimeType: 'text/plain' },
    async (uri, { id }) => {
      // The SDK chooses the code of this error, for every revision of the protocol.
      if (!Object.hasOwn(notes, id)) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes[id] }] };
    },
  );
  return server;
}

// The Express helper refuses foreign Host and Origin headers; the handler serves both eras and keeps no sessions.
function serveHttp(port) {
  const handler = createMcpHandler(build);
  const node = toNodeHandler(handler);
  const app = createMcpExpressApp();
  app.all('/mcp', (req, res) => void node(req, res, req.body));
  app.listen(port, '127.0.0.1');
  const stop = async () => {
    await handler.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (process.argv[2] === '--http') serveHttp(Number(process.argv[3]));
else serveStdio(build);
