import { beforeAll, beforeEach, expect } from 'vitest';
import { addDays, createQuestions, setPrice } from './factories.ts';
import { useTestGateway } from './gateway.ts';

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** A gateway where access costs 149 kroner, and learners with 30 days who use their own account. */
export function withOwnAccounts() {
  const gateway = useTestGateway();
  beforeAll(async () => {
    await setPrice(gateway.deps.db, 149_00);
    await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  });
  beforeEach(() => gateway.deps.db.query('truncate outbox, audit_entry'));

  const query = async (text: string, ...values: unknown[]) =>
    (await gateway.deps.db.query(text, values)).rows;

  async function learner() {
    const user = await gateway.identity.createPasswordUser();
    const id = await addDays(gateway.deps.db, user, 30);
    const token = user.idToken;
    const call = async (method: Method, path: string, body?: unknown) =>
      gateway.call(method, path, { token, ...(body !== undefined && { body }) });
    const get = async () => (await call('GET', '/account')).body;
    const change = (body: unknown) => call('PUT', '/account/profile', body);
    return { ...user, id, token, call, get, change };
  }

  /** The names of the events that a test has emitted, oldest first, without `account.registered`. */
  const events = async () => {
    const rows = await query(
      `select name from outbox where name <> 'account.registered' order by id`,
    );
    return rows.map(({ name }) => name as string);
  };

  /** Records `count` calls of an account, `minutes` ago; with `busyS`, they take that many seconds more. */
  const called = (accountId: string, call: string, { count = 1, minutes = 0, busyS = 0 }) =>
    query(
      `insert into limited_call (account_id, call, created_at, busy_until)
       select $1, $2, now() - make_interval(mins => $3),
         case when $5 > 0 then now() + make_interval(secs => $5) end from generate_series(1, $4)`,
      accountId,
      call,
      minutes,
      count,
      busyS,
    );

  /** Calls a rate-limited route and returns its `retry_after_s`. */
  async function retryAfterOf(url: string, token: string, payload?: object): Promise<number> {
    const answer = await gateway.app.inject({
      method: payload ? 'PUT' : 'GET',
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    });
    const { code, details } = answer.json<{ code: string; details: Record<string, number> }>();
    expect([answer.statusCode, code]).toEqual([429, 'rate_limited']);
    expect(answer.headers['retry-after']).toBe(String(details.retry_after_s));
    return details.retry_after_s!;
  }

  return { gateway, query, learner, events, called, retryAfterOf };
}
