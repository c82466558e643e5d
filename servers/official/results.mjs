// results.mjs OUT LISTS: what came of the official suite's scenarios, a line each, in the order of its own list:
//   SUITE SCENARIO REVISION:PASSED[+nW][+nF] ...
// with the number of checks that passed, warned and failed. A scenario that was not run has a dash. OUT holds SUITE/REVISION/server-SCENARIO-TIME/checks.json
// as the suite writes them, LISTS what its `list --server` prints, as SUITE.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [out, lists] = process.argv.slice(2);

function count(file) {
  const tally = { SUCCESS: 0, WARNING: 0, FAILURE: 0 };
  for (const { status } of JSON.parse(readFileSync(file, 'utf8'))) if (status in tally) tally[status] += 1;
  const { SUCCESS: passed, WARNING: warned, FAILURE: failed } = tally;
  return `${passed}${warned ? `+${warned}W` : ''}${failed ? `+${failed}F` : ''}`;
}

function results(suite) {
  const found = {};
  for (const revision of readdirSync(join(out, suite)).sort()) {
    for (const folder of readdirSync(join(out, suite, revision))) {
      const [, scenario] = folder.match(/^server-(.*)-\d{4}-\d\d-\d\dT/) ?? [];
      const checks = join(out, suite, revision, folder, 'checks.json');
      if (scenario && existsSync(checks)) (found[scenario] ??= []).push(`${revision}:${count(checks)}`);
    }
  }
  return found;
}

for (const suite of readdirSync(lists).sort()) {
  const found = results(suite);
  const scenarios = [...readFileSync(join(lists, suite), 'utf8').matchAll(/^ {2}- (\S+)/gm)].map((line) => line[1]);
  for (const scenario of scenarios) console.log([suite, scenario, ...(found[scenario] ?? ['-'])].join(' '));
  if (scenarios.length === 0) console.log(`${suite} lists no scenario`);
}
