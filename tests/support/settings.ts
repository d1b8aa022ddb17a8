import { randomInt } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { Type, type Static } from 'typebox';
import Value from 'typebox/value';
import { expect } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** The environment variables of a test run. */
const TestSettings = Type.Object({
  /** A PostgreSQL 18 to use instead of an embedded one; its role must be allowed to create databases. */
  TEST_DATABASE_URL: Text,
  /** A Redis to use for the queue tests; its database is emptied. */
  TEST_REDIS_URL: Text,
  /** A Chromium or Chrome to use for the browser tests. */
  CHROMIUM_PATH: Text,
  /** `1` adds the tests that `npm test` leaves out, in small sizes; `.ci/run` sets it. */
  LARGE: Text,
  /** `1` adds the same in full size, which takes an hour; `npm run test:all` sets it. */
  FULL: Text,
  /** Test files, with commas between them, to run in full size with LARGE=1: what a change reaches. */
  FULL_FILES: Text,
  /** How many minutes tests/faults breaks the whole system; `npm run test:faults` sets it. */
  FAULT_MINUTES: Text,
  /** How often tests/faults/kills kills a process under load; set it where nothing else is running. */
  RANDOM_KILLS: Text,
  /** How often tests/rolling ends a process under load. */
  ROLLING_RESTARTS: Text,
  /** The revision that tests/rolling uses as the previous version, instead of the last tag. */
  ROLLING_FROM: Text,
  /** `1` writes the pictures of the documents into docs/pictures; `npm run screenshots` sets it. */
  SCREENSHOTS: Text,
  /** A seed that a run printed: repeats what it drew at random. */
  TEST_SEED: Text,
  PATH: Type.String(),
});

/** The settings of this test run. */
export function testSettings(): Static<typeof TestSettings> {
  const { PATH = '', ...env } = process.env;
  const given = Object.entries({ ...env, PATH }).filter(([, value]) => value);
  return Value.Parse(TestSettings, Value.Clean(TestSettings, Object.fromEntries(given)));
}

/** The value for the size of this run: `npm test`, LARGE=1, or FULL=1; or for this file, in FULL_FILES. */
export function bySize<T>(sizes: { quick: T; large: T; full: T }): T {
  const { LARGE, FULL, FULL_FILES } = testSettings();
  const file = relative(ROOT, expect.getState().testPath ?? '');
  if (FULL === '1' || FULL_FILES?.split(',').includes(file)) return sizes.full;
  return LARGE === '1' ? sizes.large : sizes.quick;
}

/** The seed of a test: TEST_SEED, else a new number for each run. It is printed. */
export function testSeed(what: string): number {
  const seed = Number(testSettings().TEST_SEED ?? randomInt(2 ** 31));
  process.stdout.write(`To repeat ${what}: TEST_SEED=${seed}\n`);
  return seed;
}
