// inspector.mjs [--era legacy|auto] [--tool NAME]... stdio COMMAND... | http URL | sse URL: asks a server with the command line of the official MCP
// Inspector, a process for each request, as scripts and CI jobs do, and prints what kind of answer came. `INSPECTOR` names its main file.
import { spawnSync } from 'node:child_process';
import { called, expanded, members, read } from './choice.mjs';

const { era, named, transport, target } = read(process.argv.slice(2));
const HELD = 2; // of a kind are asked for: each takes a process

function ask(name, ...flags) {
  const where = transport === 'stdio' ? ['--', ...target] : ['--transport', transport, '--server-url', target[0]];
  const said = ['--cli', '--format', 'json', '--protocol-era', era, ...flags, ...where];
  const { status, stdout } = spawnSync(process.execPath, [process.env.INSPECTOR, ...said], { encoding: 'utf8', timeout: 20_000 });
  console.log(name, status === null ? 'out of time' : `status ${status}`);
  try {
    const answer = JSON.parse(stdout);
    return answer.result ?? answer;
  } catch {
    return {};
  }
}

const list = (method, member) => {
  const found = ask(method, '--method', method)[member] ?? [];
  console.log(method, found.length);
  return found;
};

const offered = ask('initialize', '--method', 'initialize').capabilities;
if (!offered) process.exit(1);
if (offered.logging && era === 'legacy') ask('logging/setLevel', '--method', 'logging/setLevel', '--log-level', 'debug');
if (offered.tools) {
  for (const { name, inputSchema } of called(list('tools/list', 'tools'), named).slice(0, HELD)) {
    ask(`tools/call ${name}`, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(members(inputSchema)));
  }
}
if (offered.prompts) {
  for (const { name, arguments: wanted = [] } of list('prompts/list', 'prompts').slice(0, HELD)) {
    const given = wanted.filter(({ required }) => required).flatMap((argument) => ['--prompt-args', `${argument.name}=a`]);
    ask(`prompts/get ${name}`, '--method', 'prompts/get', '--prompt-name', name, ...given);
  }
  ask('prompts/get of no such prompt', '--method', 'prompts/get', '--prompt-name', 'no_such_prompt');
}
if (offered.resources) {
  const templates = list('resources/templates/list', 'resourceTemplates').map(({ uriTemplate }) => expanded(uriTemplate));
  const uris = list('resources/list', 'resources').map(({ uri }) => uri).slice(0, HELD);
  for (const uri of [...uris, ...templates.slice(0, 1)]) ask(`resources/read ${uri}`, '--method', 'resources/read', '--uri', uri);
  ask('resources/read of no such resource', '--method', 'resources/read', '--uri', 'file:///no/such/resource');
}
