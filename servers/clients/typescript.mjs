// typescript.mjs [--tool NAME]... stdio COMMAND... | http URL | sse URL: a client of the official TypeScript SDK 1.x that asks a server for all that
// can be asked without harm, and prints what kind of answer came to each request. Where answers follow the clock, kinds do not.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { PAGES, SAID, called, expanded, members, read, variable } from './choice.mjs';

const { named, transport: kind, target } = read(process.argv.slice(2));
const options = { timeout: SAID };
setTimeout(() => { console.log('out of time'); process.exit(1); }, 100_000).unref();

const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
const client = new Client({ name: 'recordings-typescript', version: '1' }, { capabilities });
client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
client.setRequestHandler(types.CreateMessageRequestSchema, () => (
  { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } }));
client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => (
  params.requestedSchema ? { action: 'accept', content: members(params.requestedSchema) } : { action: 'decline' }));

// Says what came, and never fails: a refusal is as good an answer as any.
async function step(name, ask) {
  try {
    const result = await ask();
    console.log(name, result?.isError ? 'isError' : 'result');
    return result;
  } catch (error) {
    console.log(name, typeof error.code === 'number' ? `error ${error.code}` : `refused: ${error.name}`);
    return undefined;
  }
}

async function all(name, ask, member) {
  const found = [];
  let cursor;
  for (let page = 1; page <= PAGES; page += 1) {
    const result = await step(`${name} page ${page}`, () => ask.call(client, cursor === undefined ? {} : { cursor }, options));
    found.push(...(result?.[member] ?? []));
    cursor = result?.nextCursor;
    if (cursor === undefined) break;
  }
  console.log(name, found.length);
  return found;
}

// A tool that can be called as a task is; the SDK asks for its state until there is a result.
async function task(call) {
  for await (const said of client.experimental.tasks.callToolStream(call, types.CallToolResultSchema, options)) {
    if (said.type === 'error') throw said.error;
    if (said.type === 'result') return said.result;
  }
  return undefined;
}

async function tools() {
  let slowest = { took: 0 };
  for (const tool of called(await all('tools/list', client.listTools, 'tools'), named)) {
    const call = { name: tool.name, arguments: members(tool.inputSchema) };
    const began = Date.now();
    const support = tool.execution?.taskSupport ?? 'forbidden';
    if (support !== 'forbidden') await step(`tools/call ${tool.name} as a task`, () => task(call));
    if (support === 'required') continue;
    await step(`tools/call ${tool.name}`, () => client.callTool(call, undefined, { ...options, onprogress: () => {} }));
    if (Date.now() - began > slowest.took) slowest = { took: Date.now() - began, call };
  }
  await step('tools/call of no such tool', () => client.callTool({ name: 'no_such_tool', arguments: {} }, undefined, options));
  // The slowest is called once more and cancelled on the way; which comes first is chance, so nothing is said of it.
  if (slowest.call) {
    const signal = AbortSignal.timeout(Math.ceil(slowest.took / 4));
    await client.callTool(slowest.call, undefined, { ...options, signal }).catch(() => {});
  }
}

async function prompts() {
  const found = await all('prompts/list', client.listPrompts, 'prompts');
  for (const { name, arguments: wanted = [] } of found) {
    const given = Object.fromEntries(wanted.filter(({ required }) => required).map((argument) => [argument.name, 'a']));
    await step(`prompts/get ${name}`, () => client.getPrompt({ name, arguments: given }, options));
  }
  await step('prompts/get of no such prompt', () => client.getPrompt({ name: 'no_such_prompt' }, options));
  return found.filter(({ arguments: wanted }) => wanted?.length).map(({ name, arguments: wanted }) => (
    { ref: { type: 'ref/prompt', name }, argument: { name: wanted[0].name, value: '' } }));
}

async function resources(watched) {
  const found = await all('resources/list', client.listResources, 'resources');
  const templates = await all('resources/templates/list', client.listResourceTemplates, 'resourceTemplates');
  const uris = [...found.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => expanded(uriTemplate))];
  for (const uri of uris) await step(`resources/read ${uri}`, () => client.readResource({ uri }, options));
  await step('resources/read of no such resource', () => client.readResource({ uri: 'file:///no/such/resource' }, options));
  if (watched && uris.length) {
    await step('resources/subscribe', () => client.subscribeResource({ uri: uris[0] }, options));
    await step('resources/unsubscribe', () => client.unsubscribeResource({ uri: uris[0] }, options));
  }
  return templates.filter(({ uriTemplate }) => variable(uriTemplate)).map(({ uriTemplate: uri }) => (
    { ref: { type: 'ref/resource', uri }, argument: { name: variable(uri), value: '' } }));
}

const transport = {
  stdio: () => new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: 'ignore' }),
  http: () => new StreamableHTTPClientTransport(new URL(target[0])),
  sse: () => new SSEClientTransport(new URL(target[0])),
}[kind]();
await client.connect(transport, { timeout: 20_000 });
const offered = client.getServerCapabilities() ?? {};
console.log('connected', client.getServerVersion()?.name);
await step('ping', () => client.ping(options));
await client.sendRootsListChanged();
if (offered.logging) await step('logging/setLevel', () => client.setLoggingLevel('debug', options));
if (offered.tools) await tools();
if (offered.tasks?.list) await step('tasks/list', () => client.experimental.tasks.listTasks(undefined, options));
const completable = [];
if (offered.prompts) completable.push(...await prompts());
if (offered.resources) completable.push(...await resources(offered.resources.subscribe));
if (offered.completions) for (const asked of completable) await step('completion/complete', () => client.complete(asked, options));
if (kind === 'http') await transport.terminateSession().catch((error) => console.log('session not ended:', error.code));
await client.close();
process.exit(0);
