// The smallest correct server on the npm package fastmcp. Run as `node high.mjs` or `node high.mjs --http PORT`.
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { FastMCP, UserError } from 'fastmcp';
import { z } from 'zod';

// fastmcp has no error for a resource that does not exist, so the one of the SDK below it, with the code of the specification.
const RESOURCE_NOT_FOUND = -32002;
const notes = { one: 'The first note.', two: 'The second note.' };
const names = ['Ada', 'Alan', 'Grace'];
const complete = (values) => async (typed) => ({ values: values.filter((value) => value.startsWith(typed)) });

const server = new FastMCP({ name: 'smallest-mcp-server', version: '1.0.0' });

server.addTool({
  name: 'echo',
  description: 'Returns the text it is given, unchanged.',
  parameters: z.object({ text: z.string().describe('What to say') }),
  annotations: { title: 'Echo', readOnlyHint: true, openWorldHint: false },
  execute: async ({ text }, { log }) => {
    log.info('echo was called');
    return text;
  },
});
server.addTool({
  name: 'add',
  description: 'Adds two numbers and returns the sum.',
  parameters: z.object({ a: z.number().describe('One number'), b: z.number().describe('The other') }),
  outputSchema: z.object({ sum: z.number().describe('The sum') }),
  annotations: { title: 'Add', readOnlyHint: true, openWorldHint: false },
  execute: async ({ a, b }) => {
    const sum = a + b;
    // JSON has no infinity.
    if (!Number.isFinite(sum)) throw new UserError('The sum is too large.');
    return { sum };
  },
});
server.addTool({
  name: 'fail',
  description: 'Returns an error whenever it is called.',
  annotations: { title: 'Fail', readOnlyHint: true, openWorldHint: false },
  execute: async () => {
    throw new UserError('This tool always fails.');
  },
});

server.addPrompt({
  name: 'greet',
  description: 'Asks for a greeting.',
  arguments: [{ name: 'name', description: 'Who to greet', required: true, complete: complete(names) }],
  load: async ({ name }) => `Please greet ${name}.`,
});

server.addResource({
  uri: 'note://one',
  name: 'one',
  description: 'The first note.',
  mimeType: 'text/plain',
  load: async () => ({ text: notes.one }),
});
server.addResourceTemplate({
  uriTemplate: 'note://{id}',
  name: 'note',
  description: 'A note by its id.',
  mimeType: 'text/plain',
  arguments: [{ name: 'id', description: 'Which note', required: true, complete: complete(Object.keys(notes)) }],
  load: async ({ id }) => {
    if (!Object.hasOwn(notes, id)) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { uri: `note://${id}` });
    return { text: notes[id] };
  },
});

if (process.argv[2] === '--http') {
  await server.start({ transportType: 'httpStream', httpStream: { host: '127.0.0.1', port: Number(process.argv[3]) } });
  const stop = async () => {
    await server.stop();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} else await server.start({ transportType: 'stdio' });
