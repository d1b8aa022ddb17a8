import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restartOnChange } from '@proveklar/local/dev/restart-on-change.ts';
import { startNode } from '@proveklar/local/processes.ts';
import { Service } from '@proveklar/local/service.ts';

let folder = '';
let sources = '';
let service: Service | undefined;
let endWatching: (() => Promise<void>) | undefined;
const said: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proveklar-restart-'));
  sources = join(folder, 'sources');
  mkdirSync(sources);
  said.length = 0;
});
afterEach(async () => {
  await endWatching?.();
  await service?.stop();
  rmSync(folder, { recursive: true });
});

const save = (text: string, name = 'main.ts') => writeFileSync(join(sources, name), text);

/** A program that records its version, and takes a moment to end. */
const program = (version: string) => `
  import { writeFileSync } from 'node:fs';
  const note: string = ${JSON.stringify(join(folder, 'note'))};
  process.once('SIGTERM', () => setTimeout(() => process.exit(0), 100));
  setInterval(() => {}, 60_000);
  writeFileSync(note, ${JSON.stringify(version)});
`;

function noted(): string {
  const note = join(folder, 'note');
  return existsSync(note) ? readFileSync(note, 'utf8') : '';
}

async function startWatched(): Promise<Service> {
  const order = { script: [join(sources, 'main.ts')], env: {}, logFile: join(folder, 'log') };
  const launch = () => startNode({ name: 'program', ...order });
  const say = (line: string) => void said.push(line);
  const started = new Service({ name: 'program', launch, say, waitsForRestart: true });
  service = started;
  started.supervise();
  endWatching = await restartOnChange([sources], () => started.restart());
  await expect.poll(noted).not.toBe('');
  return started;
}

it('runs the saved program, and ends the old process', async () => {
  save(program('first'));
  const watched = await startWatched();
  const old = watched.child;
  save(program('second'));
  await expect.poll(noted).toBe('second');
  expect(() => process.kill(old.pids[0] ?? 0, 0)).toThrow('ESRCH');
  expect(said).toEqual([]);
});

it('restarts again for a file saved during a restart', async () => {
  const calls: string[][] = [];
  let finish = () => {};
  endWatching = await restartOnChange([sources], (paths) => {
    calls.push(paths);
    return new Promise((resolve) => (finish = resolve));
  });
  save('', 'first.ts');
  await expect.poll(() => calls.length).toBe(1);
  const seen: string[] = [];
  const endSeeing = await restartOnChange([sources], async (paths) => void seen.push(...paths));
  save('', 'second.ts');
  await expect.poll(() => seen).toEqual([join(sources, 'second.ts')]);
  await endSeeing();
  expect(calls.length).toBe(1);
  finish();
  await expect.poll(() => calls[1]).toEqual([join(sources, 'second.ts')]);
});

it('does not restart a program with an error until the next save', async () => {
  save(program('first'));
  await startWatched();
  save('const nothing = = 1;');
  await expect
    .poll(() => said)
    .toEqual(['program ended (exit code 1); the next save starts it again']);
  save(program('mended'));
  await expect.poll(noted).toBe('mended');
});

it('stays stopped when a file is saved after the stop', async () => {
  save(program('first'));
  const watched = await startWatched();
  await watched.stop();
  await watched.restart();
  for (const pid of watched.child.pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('ignores tests and files that are not sources', async () => {
  const changed: string[] = [];
  endWatching = await restartOnChange([sources], async (paths) => void changed.push(...paths));
  mkdirSync(join(sources, 'node_modules/other'), { recursive: true });
  save('', 'main.test.ts');
  save('', 'README.md');
  save('', 'node_modules/other/index.ts');
  mkdirSync(join(sources, 'new'));
  // Changes arrive in order, so once this one has arrived, the others were ignored.
  save('', 'new/main.ts');
  await expect.poll(() => changed).toEqual([join(sources, 'new/main.ts')]);
});
