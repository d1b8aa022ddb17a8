import { createAccount } from '@proveklar/services/accounts/account.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { GatewayDeps } from '@proveklar/gateway/deps.ts';
import {
  DEMO_EMAIL,
  DEMO_NAME,
  QUESTIONS,
  TRANSLATION,
} from '@proveklar/gateway/openapi/examples/values.ts';
import { emptyTables, tablesOf } from '../database.ts';
import { addDays, addQuestions, setPrice } from '../factories.ts';
import type { TestGateway } from '../gateway.ts';

/** How a real call of an example differs from the documented one. */
export interface Call {
  token?: string;
  /** The real value for each documented value that must be replaced. */
  real?: Record<string, string>;
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A raw payload, in place of a body. */
  bytes?: string;
  /** Replaced dependencies of the gateway. */
  deps?: Partial<Pick<GatewayDeps, 'db' | 'identity' | 'isLive' | 'limits' | 'stripe'>>;
}

/** Creates the rows that an example needs, in an empty database, and returns how to call it then. */
export type SetUp = (gateway: TestGateway) => Promise<Call>;

/** Keys are `operationId.example` or `operationId.error_code`. */
export type SetUps = Record<string, SetUp>;

/** Tables that migrations fill. */
const FILLED_BY_MIGRATIONS = new Set(['exam_profile', 'language', 'pgmigrations']);

/** All others; every test database has the same. */
let tables: string[] | undefined;

/** Empties the database, except for the rows that migrations insert, and sets a price of 149 kroner for 30 days. */
export async function emptyDatabase(db: Database): Promise<void> {
  tables ??= (await tablesOf(db)).filter((name) => !FILLED_BY_MIGRATIONS.has(name));
  await emptyTables(db, ...tables);
  await db.query('insert into settings default values');
  await db.query('insert into receipt_counter default values');
  await setPrice(db, 149_00);
}

/** The two questions of the examples, validated. */
export async function addExampleQuestions({ deps }: TestGateway): Promise<void> {
  const rows = QUESTIONS.map(({ id: _id, options: _options, ...row }) => row);
  await addQuestions(deps.db, rows, 'example');
}

/** The first example question in English. */
export async function addExampleTranslation({ deps: { db } }: TestGateway): Promise<void> {
  const { options: _options, ...row } = TRANSLATION;
  await addQuestions(db, [{ ...row, group: 'grunnloven' }], 'example');
  await db.query(`update question set translation_group = 'grunnloven' where uuid = $1`, [
    QUESTIONS[0].uuid,
  ]);
}

/** The administrator, signed in by Google. */
export async function signInAdmin({ deps, identity }: TestGateway) {
  const email = deps.config.ADMIN_EMAIL;
  const { uid, idToken } = await identity.signInWithGoogle({ email });
  await createAccount(deps.db, { uid, email, displayName: null });
  return { uid, email, token: idToken };
}

/** A signed-in user with an account and `days` of service. */
export async function signIn(gateway: TestGateway, days = 30) {
  const { uid, email, idToken } = await gateway.identity.createPasswordUser();
  await createAccount(gateway.deps.db, { uid, email, displayName: DEMO_NAME });
  await addDays(gateway.deps.db, { uid, email }, days);
  return { uid, email, token: idToken, real: { [DEMO_EMAIL]: email } };
}
