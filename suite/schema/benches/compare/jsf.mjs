// json-schema-faker, driven like the others: JSON Lines of {"schema": .., "each": N} in, {"instances": [..]} out.
import { createInterface } from "node:readline";
import { createGenerator } from "json-schema-faker";

// Milliseconds of the processor.
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

for await (const line of createInterface({ input: process.stdin })) {
  const { schema, each } = JSON.parse(line);
  const began = now();
  const instances = [];
  try {
    const generator = createGenerator({ seed: 1 });
    while (instances.length < each && now() - began < 5000) {
      const made = await generator.generate(structuredClone(schema));
      if (made === undefined) break;
      instances.push(made);
    }
  } catch {}
  process.stdout.write(JSON.stringify({ instances }) + "\n");
}
