import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// `npm test -- …`: runs Vitest with our reporters. Arguments after `--` come last, so they take precedence:
// `npm test -- services/quiz`, `npm test -- --project browser`, `npm test -- -t "answers once"`.
const words = process.argv.slice(2);
// `--profile` is our own option: it prints the time spent by phase, process and file.
// `--promises` too: it records what was measured in docs/promises.md.
const OPTIONS = new Set(['--profile', '--promises']);
const forwarded = words.filter((word) => !OPTIONS.has(word));
const reports = ['--reporter=default', '--reporter=json'];
if (words.includes('--promises')) {
  reports.push('--reporter=./tests/promises/promise-reporter.ts');
}
if (words.includes('--profile')) {
  process.env.TEST_PROFILE = mkdtempSync(join(tmpdir(), 'proveklar-profile-'));
  reports.push('--reporter=./tests/support/profile-reporter.ts');
}
// One result file for each kind of run: .ci/run sums them up.
const { LARGE, FULL } = process.env;
const kind = FULL === '1' ? 'full-' : LARGE === '1' ? 'large-' : '';
const results = [`--outputFile.json=.local/${kind}test-results.json`];

// In this process, so that Vitest handles Ctrl-C itself.
const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
process.argv.splice(2, words.length, 'run', ...reports, ...results, ...forwarded);
process.chdir(join(import.meta.dirname, '..'));
await import(pathToFileURL(join(vitest, 'vitest.mjs')).href);
