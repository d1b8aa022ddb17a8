import { randomInt } from 'node:crypto';
import { Type, type Static } from 'typebox';
import Value from 'typebox/value';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What a person may set for a test run. */
const TestSettings = Type.Object({
  /** A PostgreSQL 18 to use instead of an embedded one; its role must be allowed to create databases. */
  TEST_DATABASE_URL: Text,
  /** A Redis to use for the queue tests; its database is emptied. */
  TEST_REDIS_URL: Text,
  /** A Chromium or Chrome to use for the browser tests. */
  CHROMIUM_PATH: Text,
  /** `1` adds what `npm test` leaves out, in small sizes; `.ci/run` sets it. */
  LARGE: Text,
  /** `1` adds the same in full size, which takes an hour; `npm run test:all` sets it. */
  FULL: Text,
  /** How often tests/rolling ends a process under load: 20 is the promise. */
  ROLLING_RESTARTS: Text,
  /** A revision that tests/rolling takes for the version before, instead of the last tag. */
  ROLLING_FROM: Text,
  /** Draws the same again: the number that a run printed. */
  TEST_SEED: Text,
  PATH: Type.String(),
});

/** The settings of this test run. */
export function testSettings(): Static<typeof TestSettings> {
  const { PATH = '', ...env } = process.env;
  const given = Object.entries({ ...env, PATH }).filter(([, value]) => value);
  return Value.Parse(TestSettings, Value.Clean(TestSettings, Object.fromEntries(given)));
}

/** The value for the size of this run: `npm test`, LARGE=1, or FULL=1. */
export function bySize<T>(sizes: { quick: T; large: T; full: T }): T {
  const { LARGE, FULL } = testSettings();
  if (FULL === '1') return sizes.full;
  return LARGE === '1' ? sizes.large : sizes.quick;
}

/** What a test draws by: a new number for each run, printed, unless TEST_SEED gives one. */
export function testSeed(what: string): number {
  const seed = Number(testSettings().TEST_SEED ?? randomInt(2 ** 31));
  process.stdout.write(`To draw ${what} again: TEST_SEED=${seed}\n`);
  return seed;
}
