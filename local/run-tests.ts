import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// `npm test -- …`: Vitest with our reporters. What is given after `--` comes last and so wins:
// `npm test -- services/quiz`, `npm test -- --project browser`, `npm test -- -t "answers once"`.
const words = process.argv.slice(2);
// `--profile` is ours: it prints where the time went, by phase, process and file.
const given = words.filter((word) => word !== '--profile');
const reports = ['--reporter=default', '--reporter=json'];
if (given.length < words.length) {
  process.env.TEST_PROFILE = mkdtempSync(join(tmpdir(), 'proveklar-profile-'));
  reports.push('--reporter=./tests/support/profile-reporter.ts');
}
// Each kind of run has a file of its own: .ci/run counts them all.
const { LARGE, FULL } = process.env;
const kind = FULL === '1' ? 'full-' : LARGE === '1' ? 'large-' : '';
const results = [`--outputFile.json=.local/${kind}test-results.json`];

// In this very process, so that Ctrl-C is Vitest's own and nothing stands between it and the tests.
const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
process.argv.splice(2, words.length, 'run', ...reports, ...results, ...given);
process.chdir(join(import.meta.dirname, '..'));
await import(pathToFileURL(join(vitest, 'vitest.mjs')).href);
