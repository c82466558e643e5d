// What the two TypeScript clients share: connect, do the actions, print one JSON object for each.
//
//     node ts-v1.mjs '["list", "call odd {}"]' COMMAND ARGUMENT...
//     node ts-v1.mjs '["list", "call odd {}"]' --url URL

const LIMIT = 5;
const CONNECT_LIMIT = 15;

const verbs = {
  list: async (client) => ({ names: (await client.listTools()).tools.map((tool) => tool.name) }),
  "list-resources": async (client) => ({ names: (await client.listResources()).resources.map((resource) => resource.uri) }),
  "list-prompts": async (client) => ({ names: (await client.listPrompts()).prompts.map((prompt) => prompt.name) }),
  call: async (client, name, args) => ({ isError: !!(await client.callTool({ name, arguments: JSON.parse(args || "{}") })).isError }),
  read: async (client, uri) => ({ names: (await client.readResource({ uri })).contents.map((part) => part.uri) }),
  "get-prompt": async (client, name) => ({ messages: (await client.getPrompt({ name })).messages.length }),
  ping: async (client) => void (await client.ping()),
};

const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

// The SDK's own limit stays at its default: here a late answer counts as none, whatever the SDK would do a minute later.
function limited(promise, seconds = LIMIT) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(Object.assign(new Error(`no answer in ${seconds} s`), { late: true })), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const failure = (error) => ({ ok: false, late: error?.late === true, error: String(error?.message ?? error) });

export async function run(Client, Stdio, Http) {
  const [actions, ...target] = process.argv.slice(2);
  const client = new Client({ name: "hosts-check", version: "1.0.0" });
  const transport = target[0] === "--url" ? new Http(new URL(target[1])) : new Stdio({ command: target[0], args: target.slice(1) });
  try {
    await limited(client.connect(transport), CONNECT_LIMIT);
    say({ action: "connect", connected: true });
  } catch (error) {
    say({ action: "connect", connected: false, ...failure(error) });
    process.exit(0);
  }
  for (const action of JSON.parse(actions)) {
    const [, verb, name, rest] = action.match(/^(\S+)(?: (\S+))?(?: (.*))?$/);
    try {
      say({ action, ok: true, ...(await limited(verbs[verb](client, name, rest))) });
    } catch (error) {
      say({ action, ...failure(error) });
    }
  }
  // Not close(): what a client does at the end is not measured, and the server ends with its stdin.
  process.exit(0);
}
