import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';

const NPM = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
mkdirSync('node_modules/tool', { recursive: true });
writeFileSync('node_modules/tool/package.json', '{"main":"tool.js"}');
writeFileSync('node_modules/tool/tool.js', '');
`;

let place = '';
let said: string[] = [];
const load = () => {
  const order = { name: 'The tool', folder: relative(PROJECT_DIR, place), megabytes: 12 };
  return loadOnDemand(order, (line) => said.push(line));
};
const npmCalls = () => {
  const calls = join(place, 'npm-calls');
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
};

beforeEach(() => {
  said = [];
  place = mkdtempSync(join(tmpdir(), 'proveklar-on-demand-'));
  writeFileSync(join(place, 'package.json'), '{"dependencies":{"tool":"1.0.0"}}');
  writeFileSync(join(place, 'npm.cjs'), NPM);
  vi.stubEnv('npm_execpath', join(place, 'npm.cjs'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
});

it('installs a package on the first use, and says how large it is', async () => {
  const resolve = await load();
  expect(resolve('tool')).toBe(join(place, 'node_modules/tool/tool.js'));
  expect(said).toEqual([
    expect.stringContaining('Loading The tool, once (12 MB'),
    'Loaded The tool.',
  ]);
});

it('installs a package once', async () => {
  await load();
  said = [];
  await load();
  expect([npmCalls().length, said]).toEqual([1, []]);
});

it('installs a package again when another version is asked for', async () => {
  await load();
  writeFileSync(join(place, 'package.json'), '{"dependencies":{"tool":"2.0.0"}}');
  await load();
  expect(npmCalls()).toHaveLength(2);
});

it('fails when a package cannot be installed, and tries again the next time', async () => {
  writeFileSync(join(place, 'npm.cjs'), 'process.exit(7);');
  await expect(load()).rejects.toThrow('The tool could not be loaded');
  writeFileSync(join(place, 'npm.cjs'), NPM);
  await load();
  expect(npmCalls()).toHaveLength(1);
});
