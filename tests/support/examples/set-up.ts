import { createAccount } from '@proveklar/services/accounts/account.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { GatewayDeps } from '@proveklar/gateway/deps.ts';
import { DEMO_EMAIL, DEMO_NAME, QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import { addDays, addQuestions, setPrice } from '../factories.ts';
import type { TestGateway } from '../gateway.ts';

/** How a documented example is called for real: what differs from what the document says. */
export interface Call {
  token?: string;
  /** Documented values, each with the real one that stands in its place. */
  real?: Record<string, string>;
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, in place of a body. */
  bytes?: string;
  /** Parts of the gateway that behave otherwise. */
  deps?: Partial<Pick<GatewayDeps, 'db' | 'identity' | 'limits' | 'stripe'>>;
}

/** Makes the world that an example describes, in an empty database, and says how to call it there. */
export type SetUp = (gateway: TestGateway) => Promise<Call>;

/** By `operationId.example` or `operationId.error_code`. */
export type SetUps = Record<string, SetUp>;

/** What migrations have filled. */
const KEPT = ['exam_profile', 'language', 'pgmigrations'];

/**
 * Empties the database, except for what every installation has; then 149.00 NOK give 30 days. Row by
 * row: there are few, and truncating all tables takes ten times as long. What others still refer to
 * waits for the next round.
 */
export async function emptyDatabase(db: Database): Promise<void> {
  const kept = KEPT.map((name) => `'${name}'`).join(', ');
  await db.query(`
    do $$
    declare
      name text;
      refused boolean;
    begin
      loop
        refused := false;
        for name in select tablename from pg_tables
          where schemaname = 'public' and tablename not in (${kept})
        loop
          begin
            execute format('delete from %I', name);
          exception when foreign_key_violation then
            refused := true;
          end;
        end loop;
        exit when not refused;
      end loop;
    end $$`);
  await db.query('insert into settings default values');
  await db.query('insert into receipt_counter default values');
  await setPrice(db, 149_00);
}

/** The two questions of the examples, validated. */
export async function addExampleQuestions({ deps }: TestGateway): Promise<void> {
  const rows = QUESTIONS.map(({ id: _id, options: _options, ...row }) => row);
  await addQuestions(deps.db, rows, 'example');
}

/** The administrator, signed in by Google. */
export async function signInAdmin({ deps, identity }: TestGateway) {
  const email = deps.config.ADMIN_EMAIL;
  const { uid, idToken } = await identity.signInWithGoogle({ email });
  await createAccount(deps.db, { uid, email, displayName: null });
  return { uid, email, token: idToken };
}

/** Somebody signed in, with an account and so many days of service. */
export async function signIn(gateway: TestGateway, days = 30) {
  const { uid, email, idToken } = await gateway.identity.createPasswordUser();
  await createAccount(gateway.deps.db, { uid, email, displayName: DEMO_NAME });
  await addDays(gateway.deps.db, { uid, email }, days);
  return { uid, email, token: idToken, real: { [DEMO_EMAIL]: email } };
}
