import type { FastifyInstance } from 'fastify';
import Value from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readAccount } from '@proveklar/services/accounts/account.ts';
import { deleteUser } from '@proveklar/services/accounts/delete-user.ts';
import { forgetLimitedCalls } from '@proveklar/services/accounts/limited-calls.ts';
import { findInterruptedDeletions } from '@proveklar/services/accounts/own-deletion.ts';
import { resumeOwnDeletion } from '@proveklar/services/accounts/resume-deletion.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { tellDeleted } from '@proveklar/services/mail/tell-deleted.ts';
import { lent } from '@proveklar/tests/support/examples/errors.ts';
import { addDays, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail, withClaims } from '@proveklar/tests/support/identity.ts';
import { buyAccess } from '@proveklar/tests/support/pay.ts';
import { AccountExport } from '#contract/account-export.ts';
import { buildApp } from '../../app.ts';

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
  const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    gateway.call(method, path, { token, ...(body !== undefined && { body }) });
  const get = async () => (await call('GET', '/account')).body;
  const change = (body: unknown) => call('PUT', '/account/profile', body);
  return { ...user, id, token, call, get, change };
}

/** So many calls of an account, some minutes ago. */
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

/** How long an answer tells to wait, in seconds. */
async function waitOf(url: string, token: string, payload?: object): Promise<number> {
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

const events = async () =>
  (await query('select name, payload from outbox order by id')).map(({ name }) => name as string);

/** The same gateway, while the identity provider does not do what it is told. */
let failing: FastifyInstance;
beforeAll(async () => {
  const fail = () => Promise.reject(new AppError('identity_provider_failed'));
  const identity = { ...gateway.deps.identity, deleteUser: fail, setDisplayName: fail };
  failing = await buildApp({ ...gateway.deps, db: lent(gateway.deps.db), identity });
});
afterAll(() => failing.close());

async function whenProviderFails(
  method: 'PUT' | 'DELETE',
  path: string,
  token: string,
  payload?: object,
) {
  const headers = { authorization: `Bearer ${token}` };
  const url = `/api/v1${path}`;
  const answer = await failing.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

describe('PUT /account/profile', () => {
  test('changes name and language here, and the name at the sign-in service', async () => {
    const user = await learner();
    const { status, body } = await user.change({
      display_name: '  Kari Nordmann ',
      language: 'en',
    });
    expect(status).toBe(200);
    expect(body).toEqual(await user.get());
    expect(body).toMatchObject({ display_name: 'Kari Nordmann', language: 'en' });
    expect(await gateway.identity.findUser(user.email)).toMatchObject({
      displayName: 'Kari Nordmann',
    });
    expect(await events()).toEqual(['account.changed']);
    expect((await user.change({ display_name: null })).body).toMatchObject({
      display_name: null,
      language: 'en',
    });
    expect(await gateway.identity.findUser(user.email)).not.toHaveProperty('displayName');
  });

  test.each([
    [{ display_name: '' }],
    [{ display_name: '  ' }],
    [{ display_name: 'x'.repeat(101) }],
    [{ display_name: 'a\u0000b' }],
    [{ language: 'sv' }],
    [{ email: 'other@example.no' }],
  ])('refuses %j', async (body) => {
    const user = await learner();
    const field = Object.keys(body)[0];
    const answer = await user.change(body);
    expect(answer).toMatchObject({ status: 400, body: { details: { field } } });
    expect(await events()).toEqual([]);
  });

  test('keeps the name when the sign-in service does not take it, and says so', async () => {
    const user = await learner();
    const answer = await whenProviderFails('PUT', '/account/profile', user.token, {
      display_name: 'Ola',
    });
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'identity_provider_failed', details: { saved: true } },
    });
    expect(await user.get()).toMatchObject({ display_name: 'Ola' });
    expect((await user.change({ display_name: 'Ola' })).status).toBe(200);
    expect(await gateway.identity.findUser(user.email)).toMatchObject({ displayName: 'Ola' });
  });

  test('sixty times an hour, and then says how long to wait', async () => {
    const user = await learner();
    await called(user.id, 'profile_change', { count: 59, minutes: 40 });
    expect((await user.change({ language: 'en' })).status).toBe(200);
    const change = { display_name: 'Ola' };
    const wait = await waitOf('/account/profile', user.token, change);
    expect(wait).toBeGreaterThan(1_190);
    expect(wait).toBeLessThanOrEqual(1_200);
    expect(await user.get()).toMatchObject({ display_name: null });
    expect(await gateway.identity.findUser(user.email)).not.toHaveProperty('displayName');
    expect((await user.call('GET', '/account/export')).status).toBe(200);
    expect((await (await learner()).change(change)).status).toBe(200);
  });
});

test('an account that a first sign-in makes has the language of the screen', async () => {
  for (const [headers, language] of [
    [{ 'accept-language': 'en-GB,en;q=0.9' }, 'en'],
    [{ 'accept-language': 'en', cookie: 'a=b; i18next=no' }, 'no'],
    [{}, 'no'],
  ] as const) {
    const { idToken: token } = await gateway.identity.signInWithGoogle({ email: uniqueEmail() });
    expect((await gateway.call('GET', '/account', { token, headers })).body).toMatchObject({
      language,
    });
    // Only then: afterwards it is what the learner chose.
    const again = { token, headers: { 'accept-language': 'en' } };
    expect((await gateway.call('GET', '/account', again)).body).toMatchObject({ language });
  }
});

describe('a token with another address', () => {
  const emailOf = async (token: string) =>
    (await gateway.call('GET', '/account', { token })).body.email as string;

  test('that is verified is followed, and an older token does not bring the former back', async () => {
    const user = await learner();
    const next = uniqueEmail();
    const now = Math.floor(Date.now() / 1000);
    const token = (email: string, iat: number) =>
      withClaims(user.token, { email, email_verified: true, iat });
    expect(await emailOf(token(next, now + 1))).toBe(next);
    expect(await events()).toEqual(['account.changed']);
    expect(await emailOf(token(user.email, now))).toBe(next);
    expect(await emailOf(token(next, now + 1))).toBe(next);
    expect(await events()).toEqual(['account.changed']);
    expect(await emailOf(token(user.email, now + 2))).toBe(user.email);
  });

  test('that nobody verified changes nothing', async () => {
    const [user, victim] = [await learner(), await learner()];
    const hostile = withClaims(user.token, {
      email: victim.email,
      email_verified: false,
      iat: Math.floor(Date.now() / 1000) + 10,
    });
    expect(await emailOf(hostile)).toBe(user.email);
    expect(await readAccount(gateway.deps.db, user.id)).toMatchObject({ email: user.email });
    const { body } = await gateway.call('GET', '/account/export', { token: hostile });
    expect(body).toMatchObject({ account: { email: user.email }, under_the_address: null });
    expect(await events()).toEqual([]);
  });

  test('that is verified does not revive who was deleted', async () => {
    const user = await learner();
    await deleteUser(gateway.deps, user.uid, { uid: 'admin', email: 'admin@example.no' });
    const email = uniqueEmail();
    const token = withClaims(user.token, { email, email_verified: true });
    expect((await gateway.call('GET', '/account', { token })).body.code).toBe('account_disabled');
    expect((await readAccount(gateway.deps.db, user.id)).email).toContain('@invalid');
  });
});

describe('GET /account/export', () => {
  /** Somebody who has left behind whatever one can. */
  async function busyLearner() {
    const user = await learner();
    const paymentId = await buyAccess(gateway, user.token, { consent_version: 'no-2026-11' });
    const start = async (wish: object) => (await user.call('POST', '/quiz/start', wish)).body;
    const drill = await start({ topic: 'Historie', question_count: 5 });
    const [first] = drill.questions as { uuid: string; options: string[] }[];
    const answer = { question_id: first!.uuid, answer: first!.options[0] };
    await user.call('POST', `/quiz/${drill.id}/answer`, answer);
    const report = { type: 'thumbs_down', comment: 'Uklart.' };
    await user.call('POST', `/questions/${first!.uuid}/feedback`, report);
    const quiet = await start({ topic: 'Historie', question_count: 5, instant_feedback: false });
    const asked = quiet.questions[0] as { uuid: string; options: string[] };
    await user.call('POST', `/quiz/${quiet.id}/answer`, {
      question_id: asked.uuid,
      answer: asked.options[0],
    });
    const test = await start({ topic: 'Praktisk prøve' });
    const ended = await start({ topic: 'Historie', question_count: 5 });
    await user.call('POST', `/quiz/${ended.id}/end`);
    await gateway.deps.db.query(
      `insert into mail (event_id, kind, account_id, language, claimed_until, sent_at)
       values (gen_random_uuid(), 'payment_confirmation', $1, 'no', now(), now())`,
      [user.id],
    );
    return { ...user, paymentId, drill, quiet, test, ended, first: first! };
  }

  test('has everything, each under its name', async () => {
    const user = await busyLearner();
    const response = await gateway.app.inject({
      url: '/api/v1/account/export',
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="proveklar-\d{4}-\d\d-\d\d[.]json"$/,
    );
    const body: unknown = response.json();
    expect([...Value.Errors(AccountExport, body)]).toEqual([]);
    expect(body).toMatchObject({
      account: { email: user.email, language: 'no' },
      sign_in: { email: user.email, has_password: true },
      access: [{ given_for: 'grant' }, { given_for: 'payment', payment_id: user.paymentId }],
      payments: [
        {
          id: user.paymentId,
          amount_nok: '149.00',
          consent: { version: 'no-2026-11' },
          receipt: { amount_nok: '149.00', vat_nok: '29.80' },
        },
      ],
      reports: [{ uuid: user.first.uuid, comment: 'Uklart.' }],
      mails: [{ kind: 'payment_confirmation' }],
      under_the_address: null,
    });
    const { quizzes } = body as AccountExport;
    expect(quizzes.map(({ id, state }) => [id, state])).toEqual([
      [user.ended.id, 'ended'],
      [user.test.id, 'open'],
      [user.quiet.id, 'open'],
      [user.drill.id, 'open'],
    ]);
  });

  test('does not tell what an open quiz keeps back', async () => {
    const user = await busyLearner();
    const { body } = await user.call('GET', '/account/export');
    const of = (quiz: { id: string }) =>
      (body as AccountExport).quizzes.find(({ id }) => id === quiz.id)!.questions;
    const known = of(user.drill).filter(({ correct_answer }) => correct_answer !== null);
    expect(known.map(({ uuid }) => uuid)).toEqual([user.first.uuid]);
    for (const quiz of [user.quiet, user.test]) {
      for (const question of of(quiz)) {
        expect(question).toMatchObject({
          correct: null,
          correct_answer: null,
          explanation: null,
          counted: null,
        });
      }
    }
    expect(of(user.quiet)[0]!.own_answer).toEqual(expect.any(String));
    for (const question of of(user.ended)) {
      expect(question).toMatchObject({ correct: false, correct_answer: expect.any(String) });
    }
  });

  test('tells what is kept under an address to whom it belongs', async () => {
    const user = await learner();
    const registration = { email: user.email, username: 'Kari' };
    await gateway.call('POST', '/payment/create-registration-intent', { body: registration });
    await gateway.call('POST', '/payment/search', { body: { email: user.email } });
    const token = withClaims(user.token, { email_verified: true });
    const { body } = await gateway.call('GET', '/account/export', { token });
    expect([...Value.Errors(AccountExport, body)]).toEqual([]);
    expect(body.under_the_address).toMatchObject({
      unfinished_registrations: [{ name: 'Kari', amount_nok: '149.00', receipt: null }],
      payment_searches: [{ searched_at: expect.any(String) }],
    });
    // From where the address was typed is told to nobody: it may have been somebody else.
    const [{ client_address: typedAt }] = await query(
      'select client_address from payment where email = $1',
      user.email,
    );
    expect(typedAt).toEqual(expect.any(String));
    expect(JSON.stringify(body)).not.toContain(typedAt);
  });

  test('is made five times an hour, and then says how long to wait', async () => {
    const user = await learner();
    await called(user.id, 'export', { count: 4, minutes: 50 });
    const { body } = await user.call('GET', '/account/export');
    expect((body as AccountExport).limited_calls).toHaveLength(5);
    const wait = await waitOf('/account/export', user.token);
    expect(wait).toBeGreaterThan(590);
    expect(wait).toBeLessThanOrEqual(600);
    expect((await user.change({ language: 'en' })).status).toBe(200);
    await called(user.id, 'export', { minutes: 61 });
    await withTransaction(gateway.deps.db, forgetLimitedCalls);
    const left = 'select from limited_call where account_id = $1';
    expect(await query(left, user.id)).toHaveLength(6);
  });

  test('is made one at a time, and is no hindrance once it has ended, however it did', async () => {
    const user = await learner();
    await called(user.id, 'export', { busyS: 40 });
    const wait = await waitOf('/account/export', user.token);
    expect(wait).toBeGreaterThan(35);
    expect(wait).toBeLessThanOrEqual(40);
    await query('update limited_call set busy_until = now() where account_id = $1', user.id);

    const away = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'findByUid').mockRejectedValueOnce(away);
    expect((await user.call('GET', '/account/export')).status).toBe(502);
    const broken = await gateway.app.inject({
      url: '/api/v1/account/export',
      headers: { authorization: `Bearer ${user.token}` },
      payloadAsStream: true,
    });
    broken.stream().destroy();
    const busy = 'select from limited_call where account_id = $1 and busy_until > now()';
    await expect.poll(() => query(busy, user.id)).toEqual([]);
    for (const _again of [1, 2]) {
      expect((await user.call('GET', '/account/export')).status).toBe(200);
    }
  });

  // Whoever adds a table about accounts says here where the export has it.
  test('has an answer for every table that names an account', async () => {
    const rows = await query(
      `select conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'account'::regclass order by 1`,
    );
    const exported = ['credit', 'feedback', 'limited_call', 'mail', 'payment', 'quiz'];
    // Nobody who is being deleted can ask.
    expect(rows.map(({ name }) => name)).toEqual(['account_deletion', ...exported]);
  });
});

describe('DELETE /account', () => {
  const kept = async (id: string) => {
    const [row] = await query(
      `select state, email, (select count(*)::int from quiz where account_id = $1) as quizzes,
         (select count(*)::int from limited_call where account_id = $1) as calls,
       (select count(*)::int from account_deletion where account_id = $1) as unconfirmed
       from account where id = $1`,
      id,
    );
    return row;
  };

  /** What the mail worker does with the events that there are. */
  async function mailAll() {
    const mails: OutgoingMail[] = [];
    const send = async (mail: OutgoingMail) => void mails.push(mail);
    const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
    const rows = await query(`select id, payload from outbox where name = 'account.deleted'`);
    const outcomes = [];
    for (const { id, payload } of rows) {
      const deps = { db: gateway.deps.db, mailer: { send }, addresses };
      outcomes.push(await tellDeleted(deps, { id, payload }));
    }
    return { mails, outcomes };
  }

  test('leaves a tombstone, lets neither token nor password in, and is confirmed once', async () => {
    const user = await learner();
    await user.change({ language: 'en' });
    await user.call('POST', '/quiz/start', { topic: 'Historie' });
    expect(await user.call('DELETE', '/account')).toEqual({ status: 200, body: { ok: true } });
    expect((await user.call('GET', '/account')).body.code).toBe('account_disabled');
    await expect(gateway.identity.signInWithPassword(user.email, user.password)).rejects.toThrow(
      'INVALID_LOGIN_CREDENTIALS',
    );
    expect(await kept(user.id)).toMatchObject({
      state: 'deleted',
      quizzes: 0,
      calls: 0,
      unconfirmed: 1,
    });
    expect(await query('select * from audit_entry')).toEqual([]);

    // Again, with the token that still lives: nothing is left to do.
    expect((await user.call('DELETE', '/account')).status).toBe(200);
    const { mails, outcomes } = await mailAll();
    expect(outcomes).toEqual(['sent']);
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your account has been deleted' }]);
    expect((await mailAll()).outcomes).toEqual(['not_needed']);
    const [{ found }] = await query(
      `select exists (select from account_deletion where email = $1)
         or exists (select from mail where email = $1)
         or exists (select from outbox where payload::text like '%' || $1 || '%') as found`,
      user.email,
    );
    expect(found).toBe(false);
  });

  test('that stopped halfway is completed by asking again, or by the workers', async () => {
    const [patient, gone] = [await learner(), await learner()];
    for (const { token } of [patient, gone]) {
      expect((await whenProviderFails('DELETE', '/account', token)).status).toBe(502);
    }
    expect((await patient.call('GET', '/account')).body.code).toBe('account_disabled');
    expect((await mailAll()).mails).toEqual([]);
    expect((await patient.call('DELETE', '/account')).status).toBe(200);

    const interrupted = async () => {
      await withTransaction(gateway.deps.db, findInterruptedDeletions);
      return query(`select payload from outbox where name = 'account.deletion_interrupted'`);
    };
    expect(await interrupted()).toEqual([]);
    await query(`update account_deletion set begun_at = begun_at - interval '1 hour'`);
    expect(await interrupted()).toEqual([{ payload: { account_id: gone.id } }]);
    await resumeOwnDeletion(gateway.deps, gone.id);
    await resumeOwnDeletion(gateway.deps, gone.id);
    expect(await gateway.identity.findUser(gone.email)).toBeUndefined();
    const { mails } = await mailAll();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([patient.email, gone.email].toSorted());
  });

  test('takes a cancelled registration along only from whom the address belongs to', async () => {
    const user = await learner();
    const registration = { email: user.email, username: 'Kari' };
    await gateway.call('POST', '/payment/create-registration-intent', { body: registration });
    await query(
      `update payment set state = 'cancelled', cancel_reason = 'abandoned', cancelled_at = now()
       where email = $1`,
      user.email,
    );
    const left = async () =>
      (await query(`select username from payment where email = $1`, user.email)).length;
    // Anybody can sign up with an address, and delete themselves.
    expect((await user.call('DELETE', '/account')).status).toBe(200);
    expect(await left()).toBe(1);

    const owner = await gateway.identity.createPasswordUser(user.email);
    const token = withClaims(owner.idToken, { email_verified: true });
    expect((await gateway.call('DELETE', '/account', { token })).status).toBe(200);
    expect(await left()).toBe(0);
  });

  test('writes to no address that somebody has only typed', async () => {
    const { idToken, email, uid } = await gateway.identity.createPasswordUser();
    const remove = (token: string) => gateway.call('DELETE', '/account', { token });
    expect((await remove(idToken)).status).toBe(200);
    expect((await mailAll()).mails).toEqual([]);
    const left = `select from account_deletion join account on account.id = account_id where uid = $1`;
    expect(await query(left, uid)).toEqual([]);

    const again = await gateway.identity.createPasswordUser(email);
    await remove(withClaims(again.idToken, { email_verified: true }));
    expect((await mailAll()).mails).toMatchObject([{ to: email }]);
  });

  test('needs a sign-in of the last five minutes', async () => {
    const user = await learner();
    const at = (seconds: number) =>
      withClaims(user.token, { auth_time: Math.floor(Date.now() / 1000) - seconds });
    const late = await gateway.call('DELETE', '/account', { token: at(301) });
    expect([late.status, late.body.code]).toEqual([403, 'recent_sign_in_required']);
    expect((await user.call('GET', '/account')).status).toBe(200);
    expect((await gateway.call('DELETE', '/account', { token: at(290) })).status).toBe(200);
  });

  test('is neither for the administrator nor for whom they keep out', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const { idToken: token } = await gateway.identity.signInWithGoogle({ email });
    const refused = await gateway.call('DELETE', '/account', { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'cannot_delete_self']);
    expect((await gateway.call('GET', '/account', { token })).status).toBe(200);

    const user = await learner();
    await query(`update account set state = 'disabled' where id = $1`, user.id);
    const disabled = await user.call('DELETE', '/account');
    expect([disabled.status, disabled.body.code]).toEqual([401, 'account_disabled']);
    expect(await kept(user.id)).toMatchObject({ state: 'disabled', unconfirmed: 0 });
  });
});
