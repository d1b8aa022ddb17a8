import type { Figures } from '#support/figures.ts';
import { promises, type ProofTest, type ServicePromise } from './promises.ts';

/** How large the tests were, smallest first: `npm test`, LARGE=1, FULL=1. */
export const SIZES = ['quick', 'large', 'full'] as const;
export type Size = (typeof SIZES)[number];

/** The last run of all tests of a promise in one size. */
export interface Measured {
  result: 'held' | 'broke';
  /** `2026-11-26`. */
  date: string;
  /** The commit that was tested; with `+` when files were changed since. */
  commit: string;
  figures: { test: string; values: Figures }[];
}

/** docs/promises.json: by the id of the promise. */
export type Results = Record<string, Partial<Record<Size, Measured>>>;

const BETWEEN_PARTS = ' > ';

/** What ran, in one word; a promise that broke in any size is broken. */
export function stateOf(measured: Results[string] | undefined): 'held' | 'broke' | 'not measured' {
  const all = Object.values(measured ?? {});
  if (all.some(({ result }) => result === 'broke')) return 'broke';
  return all.length > 0 ? 'held' : 'not measured';
}

/** The command that runs the tests of a promise, in full size where it has one. */
function commandOf({ command, tests }: ServicePromise): string {
  const files = [...new Set(tests.map(({ file }) => file))];
  const isLarge = files.some((file) => file.includes('.large.'));
  return command ?? `${isLarge ? 'LARGE=1 ' : ''}npm test -- ${files.join(' ')}`;
}

/** docs/promises.md. */
export function renderPage(results: Results): string {
  const sections = [...Map.groupBy(promises, ({ section }) => section)];
  let number = 0;
  return `${[
    '# Promises',
    '',
    'What the service promises when things go wrong, the tests that prove each promise, and what they measured last. The tests write this',
    'page and `docs/promises.json`: `npm test -- --promises` records each promise all of whose tests were run, `npm run promises` runs those',
    'that a busy machine can run, `npm run test:all` runs all in full size. The list is in `tests/promises/promises.ts`.',
    '',
    'A size is *quick* (`npm test`), *large* (`LARGE=1`, as `.ci/run` runs it) or *full* (`npm run test:all`); many tests are the same in each.',
    'A figure belongs to the machine that measured it: two cores, shared with other work unless the text says otherwise. A sentence after',
    '"Missing" says what no test proves yet.',
    '',
    summaryOf(results),
    ...sections.flatMap(([section, those]) => [
      '',
      `## ${section}`,
      ...those.flatMap((promise) => ['', ...linesOf(promise, results[promise.id], (number += 1))]),
    ]),
  ].join('\n')}\n`;
}

function linesOf(promise: ServicePromise, measured: Results[string] = {}, number: number) {
  const known = SIZES.toReversed().filter((size) => measured[size]);
  const [largest, ...others] = known;
  const told = known.map((size) => {
    const { result, date, commit } = measured[size]!;
    return `${result} on ${date} (${size}, \`${commit}\`)`;
  });
  const last = largest && [
    told[0]!,
    ...figuresOf(promise, measured[largest]!).map((line) => `\n  - ${line}`),
  ];
  return [
    `**${number}. ${promise.text}**`,
    '',
    `- Measured: ${last ? last.join('') : 'not measured yet'}`,
    ...(others.length > 0 ? [`- Also: ${told.slice(1).join('; ')}`] : []),
    `- Tests: ${testsOf(promise.tests)}`,
    `- Command: \`${commandOf(promise)}\``,
    ...(promise.missing ? [`- Missing: ${promise.missing}`] : []),
  ];
}

/** `tests/a.test.ts` with the titles of its tests, if not all of them belong to the promise. */
function testsOf(tests: readonly ProofTest[]): string {
  return [...Map.groupBy(tests, ({ file }) => file)]
    .map(([file, those]) => {
      const titles = those.flatMap(({ title }) => (title ? [`“${title}”`] : []));
      return [`\`${file}\``, ...(titles.length > 0 ? [titles.join(', ')] : [])].join(' ');
    })
    .join('; ');
}

/** One line for each test with figures, which begins with what tells it from the others. */
function figuresOf({ figures: shown }: ServicePromise, { figures }: Measured): string[] {
  const chosen = figures.flatMap(({ test, values }) => {
    const those = Object.entries(values).filter(([name]) => !shown || shown.includes(name));
    return those.length > 0 ? [{ parts: test.split(BETWEEN_PARTS), those }] : [];
  });
  return chosen.map(({ parts, those }) => {
    const own = parts.filter((part) => !chosen.every((other) => other.parts.includes(part)));
    const label = own.length > 0 ? `${own.join(', ')}: ` : '';
    return `${label}${those.map(([name, value]) => `${name} ${value}`).join(', ')}`;
  });
}

function summaryOf(results: Results): string {
  const states = promises.map(({ id }) => stateOf(results[id]));
  const count = (state: ReturnType<typeof stateOf>) => states.filter((one) => one === state).length;
  const incomplete = promises.filter(({ missing }) => missing).length;
  return (
    `Of ${promises.length} promises, ${count('held')} held when their tests last ran, ${count('broke')} broke, and ` +
    `${count('not measured')} ${count('not measured') === 1 ? 'is' : 'are'} not measured yet; for ${incomplete} a part of the proof is missing.`
  );
}

/** The paragraph of README that begins with "Proof". */
export function renderProof(results: Results): string {
  return [
    '**Proof:** [Promises](docs/promises.md) has what the service promises when things go wrong, each with its tests, the command that runs',
    `them and what they measured last. ${summaryOf(results)}`,
    ...paymentsOf(results),
  ].join('\n');
}

/** The payments of the largest run. */
function paymentsOf(results: Results): string[] {
  const measured = results['credited-once'] ?? {};
  const size = SIZES.toReversed().find((one) => measured[one]);
  const all = (size ? measured[size]!.figures : []).filter(({ values }) => 'payments' in values);
  const sum = (name: string) => all.reduce((total, { values }) => total + Number(values[name]), 0);
  if (!size || all.length === 0) return [];
  return [
    `\`npm run test:payments\` makes 1,000 payments while webhooks are lost, repeated and reordered and processes are killed; the last ${size} run,`,
    `of ${sum('payments')} payments and ${sum('kills')} kills on ${measured[size]!.date}, left ${sum('missing')} without their days and gave ${sum('double')} twice.`,
  ];
}

/** README with the current paragraph. */
export function withProof(readme: string, results: Results): string {
  return readme.replace(/^\*\*Proof:\*\*.*?(?=\n\n)/ms, () => renderProof(results));
}
