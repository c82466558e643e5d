// The smallest correct server on the TypeScript SDK 2.x, low-level: Server. Run as `node low.mjs` or `node low.mjs --http PORT`.
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const notes = { one: 'The first note.', two: 'The second note.' };
const names = ['Ada', 'Alan', 'Grace'];
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const failure = (message) => ({ ...text(message), isError: true });
const invalid = (message) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
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
const inputs = new Map(tools.map(({ name, inputSchema }) => [name, fromJsonSchema(inputSchema)]));

// Each list is one page, so that no cursor is ever given out and none is known.
const page = (result) => (request) => {
  if (request.params?.cursor !== undefined) throw invalid('Unknown cursor');
  return result;
};

function build() {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'smallest-mcp-server', version: '1.0.0' }, { capabilities });

  server.setRequestHandler('tools/list', page({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const input = inputs.get(params.name);
    if (!input) throw invalid(`Unknown tool: ${params.name}`);
    const { value, issues } = await input['~standard'].validate(params.arguments ?? {});
    if (issues) return failure(`Invalid arguments: ${issues.map(({ message }) => message).join('; ')}`);
    if (params.name === 'fail') return failure('This tool always fails.');
    if (params.name === 'echo') {
      await ctx.mcpReq.log('info', 'echo was called', 'echo');
      return text(value.text);
    }
    const structuredContent = { sum: value.a + value.b };
    if (!Number.isFinite(structuredContent.sum)) return failure('The sum is too large.'); // JSON has no infinity.
    return { ...text(JSON.stringify(structuredContent)), structuredContent };
  });

  server.setRequestHandler('prompts/list', page({ prompts: [greet] }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    if (params.name !== greet.name) throw invalid(`Unknown prompt: ${params.name}`);
    const name = params.arguments?.name;
    if (name === undefined) throw invalid('Missing argument: name');
    return { description: greet.description, messages: [{ role: 'user', content: { type: 'text', text: `Please greet ${name}.` } }] };
  });

  server.setRequestHandler('resources/list', page({ resources: [resource] }));
  server.setRequestHandler('resources/templates/list', page({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = Object.keys(notes).find((known) => uri === `note://${known}`);
    // The SDK chooses the code of this error, for every revision of the protocol.
    if (!id) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: notes[id] }] };
  });

  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const key = `${ref.type} ${ref.name ?? ref.uri} ${argument.name}`;
    const known = { 'ref/prompt greet name': names, 'ref/resource note://{id} id': Object.keys(notes) };
    if (!Object.hasOwn(known, key)) throw invalid('Unknown completion reference or argument');
    const values = known[key].filter((value) => value.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}

// The manual's other way: node:http without Express (high.mjs has it). The guards answer foreign Host and Origin headers themselves.
function serveHttp(port) {
  const handler = createMcpHandler(build);
  const node = toNodeHandler(handler);
  const hostAllowed = localhostHostValidation();
  const originAllowed = localhostOriginValidation();
  const listener = createServer((req, res) => {
    if (!hostAllowed(req, res) || !originAllowed(req, res)) return;
    if (req.url === '/mcp') void node(req, res);
    else res.writeHead(404).end();
  });
  listener.listen(port, '127.0.0.1');
  const stop = async () => {
    await handler.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (process.argv[2] === '--http') serveHttp(Number(process.argv[3]));
else serveStdio(build);
