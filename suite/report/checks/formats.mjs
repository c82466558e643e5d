// Reads report.xml and report.tap of a reports folder with readers that others wrote. node formats.mjs REPORTS
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import assert from 'node:assert';

const modules = resolve(process.env.CHECKS ?? 'target/checks');
const require = createRequire(`${modules}/x.js`);
const { parse } = await import(pathToFileURL(require.resolve('junit2json')).href).catch(() => import(pathToFileURL(`${modules}/node_modules/junit2json/dist/esm/index.js`).href));
const { Parser } = require('tap-parser');
const folder = process.argv[2];
const report = JSON.parse(readFileSync(`${folder}/report.json`, 'utf8'));
const entries = (report.runs ?? [report]).flatMap((run) => run.requirements);
const broken = entries.filter(({ status }) => status === 'fail');

const suites = await parse(readFileSync(`${folder}/report.xml`, 'utf8'));
assert.equal(suites.testsuite.flatMap((suite) => suite.testcase).length, entries.length);
assert.equal(Number(suites.failures), broken.length);

await new Promise((done) => {
  const parser = new Parser({}, (result) => {
    assert.equal(result.count, entries.length);
    assert.equal(result.failures.filter(({ tapError }) => tapError).length, 0);
    assert.equal(result.failures.length, broken.filter(({ level }) => level !== 'advice').length);
    assert.equal(result.todo, broken.filter(({ level }) => level === 'advice').length);
    done();
  });
  parser.end(readFileSync(`${folder}/report.tap`, 'utf8'));
});
console.log(`${entries.length} requirements, ${broken.length} broken: JUnit and TAP are read`);
