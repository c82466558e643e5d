// Looks at report pages in headless Chromium: no script error, nothing fetched, no serious finding of axe-core (light, dark, phone width, all
// folded out), no sideways scrolling on a phone, search and keys work, and 1,000 findings are filtered in time. Screenshots go to OUT.
// node page.mjs OUT PAGE.html...
import { createRequire } from 'node:module';
import { readFileSync, mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const require = createRequire(resolve(process.env.CHECKS ?? 'target/checks', 'x.js'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [out, ...pages] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
let failed = 0;
const expect = (good, what) => { if (!good) { failed += 1; console.log(`FAILED ${what}`); } };

const looks = [
  ['desktop', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['phone', { viewport: { width: 375, height: 740 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
];
for (const file of pages) {
  for (const [look, options] of looks) {
    const name = `${basename(file, '.html')}-${look}`;
    // axe is injected past the page's own policy; the page itself is looked at under it.
    const context = await browser.newContext({ ...options, bypassCSP: true });
    const page = await context.newPage();
    const errors = [], fetched = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => request.url().startsWith('file:') || fetched.push(request.url()));
    const began = Date.now();
    await page.goto(`file://${resolve(file)}`);
    const loaded = Date.now() - began;
    await page.screenshot({ path: `${out}/${name}.png` });
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways <= 0, `${name}: ${sideways} pixels too wide`);
    const times = await page.evaluate(() => {
      const search = document.getElementById('search'), times = [];
      for (const text of ['a', 'ab', 'tools', 'no such text', '']) {
        const began = performance.now();
        search.value = text;
        search.dispatchEvent(new Event('input', { bubbles: true }));
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
      }
      return times;
    });
    expect(Math.max(...times) < 400, `${name}: filtering takes ${Math.max(...times)} ms`);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement.id) === 'search', `${name}: / does not reach the search`);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('j');
    const broken = await page.evaluate(() => document.querySelectorAll('.entry:not([hidden])').length);
    expect(broken === 0 || await page.evaluate(() => document.activeElement.tagName) === 'SUMMARY', `${name}: j does not reach a finding`);
    if (broken) {
      await page.keyboard.press('Enter');
      await page.screenshot({ path: `${out}/${name}-open.png` });
    }
    await page.evaluate(() => [...document.querySelectorAll('details')].slice(0, 60).forEach((one) => { one.open = true; }));
    await page.evaluate(axe);
    const result = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
    const grave = result.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    for (const one of grave) console.log(`  axe ${one.impact}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`);
    expect(grave.length === 0, `${name}: ${grave.length} serious findings of axe`);
    expect(errors.length === 0, `${name}: ${errors.join('; ')}`);
    expect(fetched.length === 0, `${name}: fetched ${fetched.join(' ')}`);
    console.log(`${name}: loaded in ${loaded} ms, filtered in ${Math.max(...times).toFixed(0)} ms, axe: ${result.violations.map(({ id, impact }) => `${id} (${impact})`).join(', ') || 'nothing'}`);
    await context.close();
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
