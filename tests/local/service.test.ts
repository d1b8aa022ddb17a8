import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Child, Ended } from '@proveklar/local/processes.ts';
import { Service } from '@proveklar/local/service.ts';

const KILLED: Ended = { code: null, signal: 'SIGKILL' };

let said: string[];
let starts: number;
let running: PromiseWithResolvers<Ended>;

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  starts = 0;
  new Service({ name: 'workers', launch, say: (line) => said.push(line) }).supervise();
});
afterEach(() => {
  vi.useRealTimers();
});

function launch(): Child {
  starts += 1;
  running = Promise.withResolvers();
  const stop = async () => {};
  return { name: 'workers', pids: [starts], ended: running.promise, stop, kill: () => {} };
}

/** Kills the process when it has run so long. @returns the seconds until it is started again */
async function killAfter(ms: number): Promise<number> {
  await vi.advanceTimersByTimeAsync(ms);
  const before = starts;
  const at = Date.now();
  running.resolve(KILLED);
  await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersToNextTimerAsync();
  expect(starts).toBe(before + 1);
  return (Date.now() - at) / 1000;
}

it('starts a process again within two seconds, however often it is killed at its start', async () => {
  const pauses: number[] = [];
  for (let kill = 0; kill < 7; kill += 1) pauses.push(await killAfter(500));
  expect(pauses).toEqual([0.1, 0.2, 0.4, 0.8, 1.6, 2, 2]);
  expect(said[0]).toBe('workers ended unexpectedly (SIGKILL); starting it again in 0.1 s');
});

it('starts a process that ran for a while at once, also when it was killed before', async () => {
  for (let kill = 0; kill < 4; kill += 1) await killAfter(500);
  expect(await killAfter(6_000)).toBe(0.1);
});
