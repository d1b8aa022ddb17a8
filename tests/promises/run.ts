import { promises } from './promises.ts';

/**
 * `npm run promises`: runs the tests of all promises that a busy machine can run within minutes, and records
 * what they measured. `npm run promises -- --all` runs the others too.
 */
const words = process.argv.slice(2);
const isAll = words.includes('--all');
const rest = words.filter((word) => word !== '--all');
/** They take the whole machine, for minutes: an answer that comes late is a failure of theirs. */
const HEAVY = /^tests\/(browser|containers|faults|fuzz|learning|rolling)\//;
const chosen = promises.filter(({ tests }) => isAll || !tests.some(({ file }) => HEAVY.test(file)));
const files = [...new Set(chosen.flatMap(({ tests }) => tests.map(({ file }) => file)))];

process.env.LARGE ??= '1';
process.argv.splice(2, words.length, '--promises', ...files, ...rest);
await import('@proveklar/local/run-tests.ts');
