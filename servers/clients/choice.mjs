// What the clients in JavaScript choose alike: their arguments, the tools they call, and what they send.
import { parseArgs } from 'node:util';

export const CALLED = 24; // tools at most
export const PAGES = 20;
export const SAID = 3000; // milliseconds for an answer; what takes longer is given up

// [--era ERA] [--tool NAME]... stdio COMMAND... | http URL | sse URL
export function read(argv) {
  const at = argv.findIndex((word) => ['stdio', 'http', 'sse'].includes(word));
  const options = { era: { type: 'string', default: 'legacy' }, tool: { type: 'string', multiple: true, default: [] } };
  const { values } = parseArgs({ args: argv.slice(0, at), options });
  return { era: values.era, named: values.tool, transport: argv[at], target: argv.slice(at + 1) };
}

// Only what the server marks as harmless is called, and what is named.
export function called(tools, named) {
  const harmless = ({ annotations = {} }) => annotations.readOnlyHint === true || annotations.destructiveHint === false;
  return tools.filter((tool) => named.includes(tool.name) || harmless(tool)).slice(0, CALLED);
}

// The plainest value that fits; what needs more than that is refused by the server, which is an answer, too.
export function sample(schema) {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type ?? schema.anyOf?.[0]?.type].flat()[0];
  if (type === 'object') return members(schema);
  if (type === 'array') return schema.items ? [sample(schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum > 1 ? schema.minimum : 1;
  return type === 'boolean' ? true : 'a';
}

export function members({ properties = {}, required = [] }) {
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
}

export const expanded = (template) => template.replace(/\{[^}]*\}/g, '1');
export const variable = (template) => template.match(/\{[^\w]?(\w+)/)?.[1];
