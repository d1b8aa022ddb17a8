import { parseArgs } from 'node:util';
import { runStep, type Outcome } from './check/run-step.ts';
import { selectSteps, type Step } from './check/steps.ts';

/**
 * The quality gate: `npm run check`.
 *
 *   node local/check.ts                       every step
 *   node local/check.ts --only lint,types     some of them
 *   node local/check.ts --fix                 formats and fixes what it can, then checks
 *
 * Every step runs even when one fails, so that one run reports everything. Exit code 1 if any failed.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, fix: { type: 'boolean', default: false } },
  });
  const steps = selectSteps(values.only?.split(',') ?? []);
  if (values.fix) await fix(steps);

  // The steps only read, so they run concurrently.
  const outcomes = await Promise.all(steps.map((step) => runStep(step)));
  process.stdout.write(report(outcomes));
  process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
}

/** Fixes lint first and formats last, because a fixed line still needs formatting. One writer at a time. */
async function fix(steps: Step[]): Promise<void> {
  for (const step of steps.filter(({ fixArgs }) => fixArgs).toReversed()) {
    await runStep(step, true);
  }
}

function report(outcomes: Outcome[]): string {
  const failed = outcomes.filter(({ passed }) => !passed);
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  const rows = outcomes.map(({ name, passed, seconds }) => {
    const mark = passed ? 'pass' : 'FAIL';
    return `${name.padEnd(width)}  ${mark}  ${seconds.toFixed(1).padStart(5)} s`;
  });
  const shown = outcomes.filter(({ shown }) => shown);
  const details = shown.map(({ name, output }) => `── ${name} ──\n${output.trim()}\n`);
  const count = `${outcomes.length - failed.length} of ${outcomes.length} steps passed`;
  return [...details, ...rows, '', count, ''].join('\n');
}

try {
  await main();
} catch (error) {
  // A wrong option: prints the message without the stack.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
