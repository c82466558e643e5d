// The smallest correct server on the TypeScript SDK 1.x, low-level: Server. Run as `node low.mjs` or `node low.mjs --http PORT`.
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

const { isInitializeRequest, McpError } = types;
// The SDK has no name for the code that the specification gives a resource that does not exist.
const RESOURCE_NOT_FOUND = -32002;
const notes = { one: 'The first note.', two: 'The second note.' };
const names = ['Ada', 'Alan', 'Grace'];
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const failure = (message) => ({ ...text(message), isError: true });
const invalid = (message) => new McpError(types.ErrorCode.InvalidParams, message);
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
const string = (description) => ({ type: 'string', description });
const number = (description) => ({ type: 'number', description });

const words = object({ text: string('What to say') });
const summands = object({ a: number('One number'), b: number('The other') });
const total = object({ sum: number('The sum') });
const echo = { name: 'echo', title: 'Echo', description: 'Returns the text it is given, unchanged.', inputSchema: words };
const add = { name: 'add', title: 'Add', description: 'Adds two numbers and returns the sum.', inputSchema: summands, outputSchema: total };
const fail = { name: 'fail', title: 'Fail', description: 'Returns an error whenever it is called.', inputSchema: object({}) };
const tools = [echo, add, fail].map((tool) => ({ ...tool, annotations: { readOnlyHint: true, openWorldHint: false } }));
const who = { name: 'name', description: 'Who to greet', required: true };
const greet = { name: 'greet', title: 'Greet', description: 'Asks for a greeting.', arguments: [who] };
const resource = { uri: 'note://one', name: 'one', title: 'Note one', description: 'The first note.', mimeType: 'text/plain' };
const template = { uriTemplate: 'note://{id}', name: 'note', title: 'Note', description: 'A note by its id.', mimeType: 'text/plain' };
const validators = new Map(tools.map(({ name, inputSchema }) => [name, new AjvJsonSchemaValidator().getValidator(inputSchema)]));

// Each list is one page, so that no cursor is ever given out and none is known.
const page = (result) => (request) => {
  if (request.params?.cursor !== undefined) throw invalid('Unknown cursor');
  return result;
};

function build() {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'smallest-mcp-server', version: '1.0.0' }, { capabilities });

  server.setRequestHandler(types.ListToolsRequestSchema, page({ tools }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
    const validate = validators.get(params.name);
    if (!validate) throw invalid(`Unknown tool: ${params.name}`);
    const { valid, data, errorMessage } = validate(params.arguments ?? {});
    if (!valid) return failure(`Invalid arguments: ${errorMessage}`);
    if (params.name === 'fail') return failure('This tool always fails.');
    if (params.name === 'echo') {
      await server.sendLoggingMessage({ level: 'info', logger: 'echo', data: 'echo was called' }, extra.sessionId);
      return text(data.text);
    }
    const structuredContent = { sum: data.a + data.b };
    if (!Number.isFinite(structuredContent.sum)) return failure('The sum is too large.'); // JSON has no infinity.
    return { ...text(JSON.stringify(structuredContent)), structuredContent };
  });

  server.setRequestHandler(types.ListPromptsRequestSchema, page({ prompts: [greet] }));
  server.setRequestHandler(types.GetPromptRequestSchema, ({ params }) => {
    if (params.name !== greet.name) throw invalid(`Unknown prompt: ${params.name}`);
    const name = params.arguments?.name;
    if (name === undefined) throw invalid('Missing argument: name');
    return { description: greet.description, messages: [{ role: 'user', content: { type: 'text', text: `Please greet ${name}.` } }] };
  });

  server.setRequestHandler(types.ListResourcesRequestSchema, page({ resources: [resource] }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, page({ resourceTemplates: [template] }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const id = Object.keys(notes).find((known) => uri === `note://${known}`);
    if (!id) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { uri });
    return { contents: [{ uri, mimeType: 'text/plain', text: notes[id] }] };
  });

  server.setRequestHandler(types.CompleteRequestSchema, ({ params: { ref, argument } }) => {
    const key = `${ref.type} ${ref.name ?? ref.uri} ${argument.name}`;
    const known = { 'ref/prompt greet name': names, 'ref/resource note://{id} id': Object.keys(notes) };
    if (!Object.hasOwn(known, key)) throw invalid('Unknown completion reference or argument');
    const values = known[key].filter((value) => value.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
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
