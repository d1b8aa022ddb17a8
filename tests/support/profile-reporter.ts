import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { ProfileEntry } from './profile.ts';

const SAMPLE_MS = 250;
const FILES_SHOWN = 40;
/** Linux counts CPU time in hundredths of a second, on every host. */
const TICK_MS = 10;

/** The kind of a process, by its command line; the first that matches. */
const PROCESSES: [name: string, pattern: RegExp][] = [
  ['PostgreSQL', /postgres/],
  ['browser', /chrom(e|ium)/i],
  ['identity emulator', /local\/identity\/main/],
  ['Redis', /redis-server/],
  ['test workers', /vitest\/dist\/workers/],
  ['test runner', /run-tests\.ts/],
  ['gateways', /gateway\/server\.ts/],
  ['workers', /workers\/main\.ts/],
  ['build of the frontend', /vite build/],
  ['other parts of a stack', /local\/(stripe|mailbox|seed|dev)|migrate-command/],
];

/** Prints where a run spent its time: by phase, by file, and by kind of process. */
export default class ProfileReporter implements Reporter {
  readonly #folder = process.env.TEST_PROFILE ?? '';
  readonly #began = performance.now();
  readonly #cpu = new Map<string, { kind: string; ms: number }>();
  readonly #sampler = setInterval(() => this.#sample(), SAMPLE_MS).unref();

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#sampler);
    this.#sample();
    const entries = readdirSync(this.#folder).flatMap((file) =>
      readFileSync(join(this.#folder, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ProfileEntry),
    );
    rmSync(this.#folder, { recursive: true });
    this.#print(modules, entries);
  }

  #print(modules: readonly TestModule[], entries: ProfileEntry[]): void {
    const files = modules
      .map((module) => ({ file: relative('.', module.moduleId), ...module.diagnostic() }))
      .map(({ file, environmentSetupDuration, prepareDuration, setupDuration, ...times }) => ({
        file,
        start: environmentSetupDuration + prepareDuration + setupDuration,
        load: times.collectDuration,
        work: times.duration,
      }));
    const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
    const phase = (name: ProfileEntry['phase']) =>
      sum(entries.filter((entry) => entry.phase === name).map(({ ms }) => ms));
    const named = (['database', 'gateway', 'stack', 'browser', 'poll'] as const).map(
      (name) => [name, phase(name)] as const,
    );
    const work = sum(files.map((file) => file.work));
    table(
      'By phase, in all test workers together (hooks and tests include the phases below them)',
      [
        ['start of test workers', sum(files.map((file) => file.start))],
        ['loading of modules', sum(files.map((file) => file.load))],
        ['hooks and tests', work],
        ...named.map(([name, ms]) => [`  ${name}`, ms] as [string, number]),
        ['  rest', work - sum(named.map(([, ms]) => ms))],
      ],
    );
    const kinds = Map.groupBy(this.#cpu.values(), ({ kind }) => kind);
    table(`Processor time by process; the run took ${seconds(performance.now() - this.#began)}`, [
      ...[...kinds].map(([kind, all]) => [kind, sum(all.map(({ ms }) => ms))] as [string, number]),
      ['all', sum([...this.#cpu.values()].map(({ ms }) => ms))],
    ]);
    const slowest = files
      .map((file) => ({ ...file, all: file.start + file.load + file.work }))
      .toSorted((one, other) => other.all - one.all);
    table(
      `The ${FILES_SHOWN} slowest of ${files.length} files (loading; hooks and tests)`,
      slowest
        .slice(0, FILES_SHOWN)
        .map((file) => [`${file.file} (${seconds(file.load)}; ${seconds(file.work)})`, file.all]),
    );
  }

  /** Records the CPU time of each descendant of this process; Linux only. */
  #sample(): void {
    const stats = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
    const children = Map.groupBy(stats, ({ parent }) => parent);
    const below = (pid: string): typeof stats =>
      (children.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
    const own = stats.filter(({ pid }) => pid === String(process.pid));
    for (const { pid, started, ms, command } of [...own, ...below(String(process.pid))]) {
      const key = `${pid} ${started}`;
      // A process that has just ended has no command line any more.
      const kind = this.#cpu.get(key)?.kind ?? kindOf(command);
      this.#cpu.set(key, { kind, ms });
    }
  }
}

function kindOf(command: string): string {
  return PROCESSES.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other programs';
}

function readProcess(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = '', user = '', system = ''] = [fields[1], fields[11], fields[12]];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const ms = (Number(user) + Number(system)) * TICK_MS;
    return [{ pid, parent, started: fields[19] ?? '', ms, command }];
  } catch {
    // The process has ended meanwhile, or this is not Linux.
    return [];
  }
}

function table(title: string, rows: [name: string, ms: number][]): void {
  const lines = rows.map(([name, ms]) => `${seconds(ms).padStart(9)}  ${name}`);
  process.stdout.write(`\n${[title, ...lines].join('\n')}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
