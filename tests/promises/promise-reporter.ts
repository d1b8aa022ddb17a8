import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { namedBy, promises, type ServicePromise } from './promises.ts';
import { renderPage, withProof, type Measured, type Results, type Size } from './render.ts';

const RESULTS = 'docs/promises.json';
const PAGE = 'docs/promises.md';
const README = 'README.md';

/**
 * `npm test -- --promises`: records in docs/ each promise all of whose tests were run, held or not. A promise
 * with a test that was skipped or left out keeps what it has.
 */
export default class PromiseReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Map(modules.map((module) => [relative('.', module.moduleId), module]));
    const { FULL, LARGE } = process.env;
    const size: Size = FULL === '1' ? 'full' : LARGE === '1' ? 'large' : 'quick';
    const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
    const measured = promises.flatMap((promise) => {
      const tests = testsOf(promise, ran);
      if (!tests) return [];
      results[promise.id] = { ...results[promise.id], [size]: measure(tests) };
      return [promise];
    });
    // In the order of the list, and without promises that it no longer has.
    const known = promises.flatMap(({ id }) => (results[id] ? [[id, results[id]] as const] : []));
    const kept = Object.fromEntries(known);
    writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`);
    writeFileSync(PAGE, renderPage(kept));
    writeFileSync(README, withProof(readFileSync(README, 'utf8'), kept));
    const broken = measured.filter(({ id }) => results[id]![size]!.result === 'broke');
    const names = broken.map(({ id }) => id).join(', ') || 'none';
    process.stdout.write(`${PAGE}: ${measured.length} promises measured, broken: ${names}\n`);
  }
}

/** The tests of a promise as they ran; undefined unless all of them did. */
function testsOf(
  promise: ServicePromise,
  ran: ReadonlyMap<string, TestModule>,
): TestCase[] | undefined {
  const found = promise.tests.map((wanted) => {
    const all = [...(ran.get(wanted.file)?.children.allTests() ?? [])];
    return all.filter((test) => namedBy(wanted, namesOf(test)));
  });
  const tests = [...new Set(found.flat())];
  const isOver = (test: TestCase) => ['passed', 'failed'].includes(test.result().state);
  return found.every((those) => those.length > 0) && tests.every(isOver) ? tests : undefined;
}

/** The titles of a test and of the suites around it. */
function namesOf(test: TestCase): string[] {
  const names = [test.name];
  for (let { parent } = test as { parent: TestCase['parent'] }; parent.type === 'suite';) {
    names.unshift(parent.name);
    ({ parent } = parent);
  }
  return names;
}

function measure(tests: readonly TestCase[]): Measured {
  const held = tests.every((test) => test.result().state === 'passed');
  return {
    result: held ? 'held' : 'broke',
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    figures: tests.flatMap((test) => {
      const { figures: values } = test.meta();
      return values ? [{ test: test.fullName, values }] : [];
    }),
  };
}

/** The commit, with `+` when a tracked file that is not ours has changed since. */
function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  try {
    const others = [RESULTS, PAGE, README].map((file) => `:!${file}`);
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ...others);
    return `${git('rev-parse', '--short=8', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
