import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startGuarded, type Child } from '@proveklar/local/processes.ts';

let folder = '';
let child: Child | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proveklar-guard-'));
});
afterEach(async () => {
  await child?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function guard(script: string): Child {
  const data = join(folder, 'data');
  mkdirSync(data);
  child = startGuarded({
    name: 'program',
    command: ['/bin/sh', '-c', script],
    env: {},
    logFile: join(folder, 'log'),
    stopSignals: ['SIGTERM', 'SIGKILL'],
    removeAfter: [data],
  });
  return child;
}

const program = (guarded: Child) => expect.poll(() => guarded.pids[1]).toBeGreaterThan(0);

it('ends its program on a signal, and removes temporary files', async () => {
  const guarded = guard('exec sleep 600');
  await program(guarded);
  await guarded.stop();
  expect(() => process.kill(guarded.pids[1] ?? 0, 0)).toThrow('ESRCH');
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('ends its program also when the signal comes before the start is done', async () => {
  const guarded = guard('exec sleep 600');
  await guarded.stop();
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('kills a program that ignores SIGTERM', async () => {
  const guarded = guard('trap "" TERM; while true; do sleep 0.1; done');
  await program(guarded);
  await guarded.stop();
  expect(() => process.kill(guarded.pids[1] ?? 0, 0)).toThrow('ESRCH');
});

it('ends with its program', async () => {
  expect(await guard('exit 3').ended).toEqual({ code: 3, signal: null });
});
