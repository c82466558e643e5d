// The smallest correct server on the TypeScript SDK 1.x, high-level: McpServer. Run as `node high.mjs` or `node high.mjs --http PORT`.
import { randomUUID } from 'node:crypto';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

// The SDK has no name for the code that the specification gives a resource that does not exist.
const RESOURCE_NOT_FOUND = -32002;
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
      inputSchema: { text: z.string().describe('What to say') },
      annotations,
    },
    async ({ text }, extra) => {
      await server.sendLoggingMessage({ level: 'info', logger: 'echo', data: 'echo was called' }, extra.sessionId);
      return { content: [{ type: 'text', text }] };
    },
  );
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers and returns the sum.',
      inputSchema: { a: z.number().describe('One number'), b: z.number().describe('The other') },
      outputSchema: { sum: z.number().describe('The sum') },
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
      argsSchema: { name: completable(z.string().describe('Who to greet'), startingWith(names)) },
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
      if (!Object.hasOwn(notes, id)) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { uri: uri.href });
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes[id] }] };
    },
  );
  return server;
}

// One transport and one server a session, as in the SDK's simpleStreamableHttp example. The helper refuses foreign Host headers.
function serveHttp(port) {
  const app = createMcpExpressApp();
  const sessions = new Map();
  const refuse = (res, status, code, message) => res.status(status).json({ jsonrpc: '2.0', error: { code, message }, id: null });

  app.all('/mcp', async (req, res) => {
    const id = req.headers['mcp-session-id'];
    if (id && !sessions.has(id)) return refuse(res, 404, -32001, 'Session not found');
    if (!id && !isInitializeRequest(req.body)) return refuse(res, 400, -32000, 'Bad Request: No valid session ID provided');
    let transport = sessions.get(id);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (created) => sessions.set(created, transport),
      });
      transport.onclose = () => sessions.delete(transport.sessionId);
      await build().connect(transport);
    }
    await transport.handleRequest(req, res, req.body);
  });

  app.listen(port, '127.0.0.1');
  const stop = async () => {
    for (const transport of sessions.values()) await transport.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (process.argv[2] === '--http') serveHttp(Number(process.argv[3]));
else await build().connect(new StdioServerTransport());
