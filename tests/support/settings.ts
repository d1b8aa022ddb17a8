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
  /** `1` for the full sizes of the import tests, which take minutes. */
  FULL: Text,
  /** How often tests/rolling ends a process under load: 6 unless given, 20 is the promise. */
  ROLLING_RESTARTS: Text,
  /** A revision that tests/rolling takes for the version before, instead of the last tag. */
  ROLLING_FROM: Text,
  /** Plays a run of tests/payments again: the seed that it printed. */
  PAYMENTS_SEED: Text,
  PATH: Type.String(),
});

/** The settings of this test run. */
export function testSettings(): Static<typeof TestSettings> {
  const { PATH = '', ...env } = process.env;
  const given = Object.entries({ ...env, PATH }).filter(([, value]) => value);
  return Value.Parse(TestSettings, Value.Clean(TestSettings, Object.fromEntries(given)));
}
