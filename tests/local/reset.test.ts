import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const LOCAL = join(import.meta.dirname, '../../local');
/** As the system answers about a process of another user, which a test cannot have. */
const ANOTHER_USER = `process.kill = () => { throw Object.assign(new Error(), { code: 'EPERM' }); };`;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proveklar-reset-'));
  cpSync(join(LOCAL, 'bootstrap.mjs'), join(root, 'local/bootstrap.mjs'));
  cpSync(join(LOCAL, 'bootstrap'), join(root, 'local/bootstrap'), { recursive: true });
  mkdirSync(join(root, '.local'));
  writeFileSync(join(root, '.local/running.json'), JSON.stringify({ pid: process.pid }));
});
afterEach(() => rmSync(root, { recursive: true }));

function reset(...options: string[]) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...options, join(root, 'local/bootstrap.mjs'), 'reset'],
    { encoding: 'utf8' },
  );
  return { status, stderr, isRemoved: !existsSync(join(root, '.local')) };
}

test('the data of a stack that another user runs are not removed', () => {
  const { status, stderr, isRemoved } = reset('--import', `data:text/javascript,${ANOTHER_USER}`);
  expect(stderr).toContain(`Prøveklar is running (process ${process.pid})`);
  expect([status, isRemoved]).toEqual([1, false]);
});

test('the data of a stack that was killed are removed', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(root, '.local/running.json'), JSON.stringify({ pid }));
  expect(reset()).toEqual({ status: 0, stderr: '', isRemoved: true });
});
