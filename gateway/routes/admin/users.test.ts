// Over 400 lines: every call on a user, against one gateway; the file of the routes has them together too.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findInterruptedDeletions } from '@proveklar/services/accounts/account-deletion.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { mailAccountDeleted } from '@proveklar/services/mail-templates/account-deleted.ts';
import { mailAccountDisabled } from '@proveklar/services/mail-templates/account-disabled.ts';
import { mailAccountEnabled } from '@proveklar/services/mail-templates/account-enabled.ts';
import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';
import { addDays, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import type { SignedIn } from '@proveklar/tests/support/identity.ts';
import { buyAccess, payWithCard } from '@proveklar/tests/support/pay.ts';
import { buildApp } from '../../app.ts';

const gateway = useTestGateway();
let boss: SignedIn;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 20 });
  boss = await gateway.identity.signInWithGoogle({ email: gateway.deps.config.ADMIN_EMAIL });
});
beforeEach(() => gateway.deps.db.query('truncate outbox, audit_entry'));

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  gateway.call(method, `/admin/users${path}`, { token: boss.idToken, ...(body && { body }) });
const search = (email: string, more = '') =>
  call('GET', `?email=${encodeURIComponent(email)}${more}`);
const emailsIn = ({ body }: { body: { users: { email: string }[] } }) =>
  body.users.map(({ email }) => email);

/** A learner with 30 days who has signed in. */
async function learner() {
  const user = await gateway.identity.createPasswordUser();
  return { ...user, id: await addDays(gateway.deps.db, user, 30) };
}

const startQuiz = async (token: string) =>
  (await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } })).body;

async function audited() {
  const { rows } = await gateway.deps.db.query(
    'select actor, action, subject from audit_entry order by id',
  );
  return rows;
}

/** The same gateway, with an identity provider that fails after the user was looked up. */
async function whenProviderFails(method: 'POST' | 'DELETE', path: string) {
  const fail = () => Promise.reject(new AppError('identity_provider_failed'));
  const identity = { ...gateway.deps.identity, deleteUser: fail, setDisabled: fail };
  const db = new Proxy(gateway.deps.db, {
    get: (pool, name) => {
      if (name === 'end') return async () => {};
      const value: unknown = Reflect.get(pool, name);
      return typeof value === 'function' ? (value.bind(pool) as unknown) : value;
    },
  });
  const app = await buildApp({ ...gateway.deps, db, identity });
  const response = await app.inject({
    method,
    url: `/api/v1/admin/users${path}`,
    headers: { authorization: `Bearer ${boss.idToken}` },
  });
  await app.close();
  return response.statusCode;
}

describe('GET /admin/users', () => {
  test('lists all users of the identity provider page by page, each once', async () => {
    const users = await Promise.all([learner(), learner(), learner()]);
    // The provider has users of other tests too.
    const { body: all } = await call('GET', '?page_size=1000');
    const size = Math.ceil(all.users.length / 3);
    const seen: { uid: string }[] = [];
    let token: string | null = '';
    while (token !== null) {
      const { status, body } = await call(
        'GET',
        `?page_size=${size}${token && `&page_token=${token}`}`,
      );
      expect(status).toBe(200);
      expect(body.users.length).toBeLessThanOrEqual(size);
      seen.push(...body.users);
      token = body.next_page_token;
    }
    const uids = seen.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(uids.length);
    for (const { uid } of [...users, boss]) expect(uids).toContain(uid);
  });

  test('lists users with their activity', async () => {
    const user = await learner();
    await startQuiz(user.idToken);
    const { id } = await startQuiz(user.idToken);
    await gateway.call('POST', `/quiz/${id}/cancel`, { token: user.idToken });
    const { body } = await search(user.email);
    expect(body.users).toEqual([
      {
        uid: user.uid,
        email: user.email,
        display_name: null,
        disabled: false,
        created_at: expect.any(String),
        last_login: expect.any(String),
        last_refresh: expect.any(String),
        quizzes: 1,
        last_active_at: expect.any(String),
        service_expires_at: expect.any(String),
        days_remaining: 30,
        is_active: true,
        is_self: false,
      },
    ]);
    expect(body.stats.total_users).toBeGreaterThanOrEqual(2);
    expect(body.stats.users_with_activity).toBeLessThanOrEqual(body.stats.total_users);
  });

  test('the list of users marks who never signed in, and the caller', async () => {
    const uid = crypto.randomUUID();
    const email = `${uid}@example.no`;
    await gateway.deps.identity.createUser({ uid, email, displayName: 'Demo' });
    const [never] = (await search(email)).body.users;
    expect(never).toMatchObject({ display_name: 'Demo', last_login: null, last_refresh: null });
    expect(never).toMatchObject({ quizzes: 0, last_active_at: null, is_active: false });
    const [self] = (await search(boss.email)).body.users;
    expect(self).toMatchObject({ uid: boss.uid, is_self: true });
  });

  test('the search finds any part of an address, page by page, without wildcards', async () => {
    const word = crypto.randomUUID().slice(0, 8);
    const emails = ['a', 'b', 'c%', 'd_', 'e'].map((name) => `${word}${name}@example.no`);
    for (const email of emails) {
      await addDays(gateway.deps.db, { uid: crypto.randomUUID(), email }, 0);
    }
    expect(emailsIn(await search(word.slice(1)))).toEqual(emails);
    expect(emailsIn(await search(`  ${word.toUpperCase()}C%`))).toEqual([emails[2]]);
    expect(emailsIn(await search(`${word}_@`))).toEqual([]);
    expect(emailsIn(await search(`${word}%@`))).toEqual([]);
    expect(emailsIn(await search(word.slice(0, 2)))).toEqual(expect.arrayContaining(emails));
    const pages: string[] = [];
    let token: string | null = '';
    while (token !== null) {
      const page = await search(word, `&page_size=2${token && `&page_token=${token}`}`);
      pages.push(...emailsIn(page));
      token = page.body.next_page_token;
    }
    expect(pages).toEqual(emails);
  });

  test.each([
    ['?page_size=0', 'page_size'],
    ['?page_size=1001', 'page_size'],
    ['?email=a%00b', 'email'],
    ['?email=a&page_token=x', 'page_token'],
    [`?sort=registered&page_token=${tokenAt('2026-13-01 10:00:00+00')}`, 'page_token'],
    [`?sort=registered&page_token=${tokenAt('2026-02-30 10:00:00+00')}`, 'page_token'],
    [`?sort=expires&page_token=${tokenAt('0000-01-01 10:00:00+00')}`, 'page_token'],
    ['?name=x', 'name'],
  ])('the list of users refuses %s', async (query, field) => {
    expect(await call('GET', query)).toMatchObject({ status: 400, body: { details: { field } } });
  });
});

/** The token of a page after an account with this place in the order. */
function tokenAt(place: string): string {
  return Buffer.from(`01890a5d-ac96-774b-bcce-b302099a8057 ${place}`).toString('base64url');
}

describe('DELETE /admin/users/{uid}', () => {
  /** A learner with data in every table that a deletion must clear. */
  async function busyLearner() {
    const user = await learner();
    const { body } = await gateway.call('POST', '/payment/create-intent', { token: user.idToken });
    const { payment_intent_id } = body;
    await payWithCard(gateway, payment_intent_id);
    const confirm = { token: user.idToken, body: { payment_intent_id } };
    await gateway.call('POST', '/payment/confirm', confirm);
    const { id, questions } = await startQuiz(user.idToken);
    const [{ uuid, options }] = questions;
    const answer = { question_id: uuid, answer: options[0] };
    await gateway.call('POST', `/quiz/${id}/answer`, { token: user.idToken, body: answer });
    const report = { token: user.idToken, body: { type: 'thumbs_down', comment: 'Feil.' } };
    await gateway.call('POST', `/questions/${uuid}/feedback`, report);
    return { ...user, payment_intent_id };
  }

  const left = async (id: string) => {
    const { rows } = await gateway.deps.db.query(
      `select (select count(*)::int from quiz where account_id = $1) as quizzes,
         (select count(*)::int from quiz_answer join quiz on quiz.id = quiz_id
          where account_id = $1) as answers,
         (select count(*)::int from feedback where account_id = $1) as reports,
         (select count(*)::int from payment where account_id = $1) as payments,
         (select state from account where id = $1) as state`,
      [id],
    );
    return rows[0];
  };
  const NOTHING_BUT_PAYMENTS = {
    quizzes: 0,
    answers: 0,
    reports: 0,
    payments: 1,
    state: 'deleted',
  };

  test('deleting a user leaves payments without a name, a tombstone, and nothing else', async () => {
    const user = await busyLearner();
    expect(await left(user.id)).toMatchObject({ quizzes: 1, answers: 1, reports: 1, payments: 1 });
    expect(await call('DELETE', `/${user.uid}`)).toEqual({ status: 200, body: { ok: true } });
    expect(await left(user.id)).toEqual(NOTHING_BUT_PAYMENTS);
    expect(await gateway.identity.findUser(user.email)).toBeUndefined();
    expect(emailsIn(await search(user.email))).toEqual([]);
    const { body } = await gateway.call('GET', '/account', { token: user.idToken });
    expect(body.code).toBe('account_disabled');
    const { rows } = await gateway.deps.db.query(
      `select to_jsonb(account) || to_jsonb(payment) as kept
       from account join payment on payment.account_id = account.id where account.id = $1`,
      [user.id],
    );
    expect(JSON.stringify(rows)).not.toContain(user.email);
    expect(await audited()).toEqual([
      { actor: boss.email, action: 'user.deleted', subject: user.email },
    ]);
  });

  test('deleting a user can be repeated, and completes an interrupted deletion', async () => {
    const user = await busyLearner();
    expect(await whenProviderFails('DELETE', `/${user.uid}`)).toBe(502);
    // An interrupted deletion keeps the user out, and the administrator gets an error.
    const halfway = await gateway.call('GET', '/account', { token: user.idToken });
    expect(halfway.body.code).toBe('account_disabled');
    expect((await search(user.email)).body.users).toMatchObject([{ disabled: true }]);
    for (const _again of [1, 2]) {
      expect(await call('DELETE', `/${user.uid}`)).toEqual({ status: 200, body: { ok: true } });
    }
    expect(await left(user.id)).toEqual(NOTHING_BUT_PAYMENTS);
    expect(await gateway.identity.findUser(user.email)).toBeUndefined();
    expect(await audited()).toHaveLength(1);
  });

  test('an interrupted deletion is completed by the workers, and requests one mail', async () => {
    const { db } = gateway.deps;
    const user = await busyLearner();
    expect(await whenProviderFails('DELETE', `/${user.uid}`)).toBe(502);
    await db.query(`update account_deletion set begun_at = begun_at - interval '1 hour'`);
    await withTransaction(db, findInterruptedDeletions);
    const events = async (name: string) =>
      (await db.query('select payload from outbox where name = $1', [name])).rows;
    expect(await events('account.deletion_interrupted')).toEqual([
      { payload: { account_id: user.id } },
    ]);
    await resumeDeletion(gateway.deps, user.id);
    expect(await left(user.id)).toEqual(NOTHING_BUT_PAYMENTS);
    expect(await gateway.identity.findUser(user.email)).toBeUndefined();
    await resumeDeletion(gateway.deps, user.id);
    expect(await events('account.deleted')).toEqual([{ payload: { account_id: user.id } }]);
  });

  test('deleting a user cancels their open payment', async () => {
    const user = await learner();
    const { body } = await gateway.call('POST', '/payment/create-intent', { token: user.idToken });
    expect(await call('DELETE', `/${user.uid}`)).toMatchObject({ status: 200 });
    await expect(payWithCard(gateway, body.payment_intent_id)).rejects.toThrow('canceled');
    const { rows } = await gateway.deps.db.query(
      'select state, email from payment where account_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ state: 'cancelled', email: null }]);
  });

  test('a user without an account here can be deleted, and their token is revoked', async () => {
    const user = await gateway.identity.createPasswordUser();
    expect(await call('DELETE', `/${user.uid}`)).toMatchObject({ status: 200 });
    expect(await gateway.identity.findUser(user.email)).toBeUndefined();
    expect((await gateway.call('GET', '/account', { token: user.idToken })).status).toBe(401);
  });

  test('administrators cannot be deleted, by uid or by address', async () => {
    const twin = crypto.randomUUID();
    await addDays(gateway.deps.db, { uid: twin, email: boss.email }, 0);
    for (const uid of [boss.uid, twin]) {
      const { status, body } = await call('DELETE', `/${uid}`);
      expect([status, body]).toEqual([
        403,
        { error: 'Cannot delete yourself', code: 'cannot_delete_self' },
      ]);
    }
    expect((await gateway.call('GET', '/account', { token: boss.idToken })).status).toBe(200);
    expect(await audited()).toEqual([]);
  });

  test('deleting an unknown user is 404', async () => {
    const answer = await call('DELETE', `/${crypto.randomUUID()}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  // A new table with account data must be added here, with what a deletion does to it.
  test('every table that names an account is listed with what a deletion does to it', async () => {
    const { rows } = await gateway.deps.db.query(
      `select conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'account'::regclass order by 1`,
    );
    const tables = rows.map(({ name }) => name as string);
    // `account_deletion`: until the deletion is complete and, if it was their own, confirmed by mail.
    // `message_recipient`: that a message was sent, without an address, like `mail`.
    const kept = ['account_deletion', 'credit', 'mail', 'message_recipient', 'payment'];
    const erased = ['feedback', 'learner_plan', 'limited_call', 'news_consent', 'quiz'];
    expect(tables).toEqual([...kept, ...erased].toSorted());
    // Rows of a quiz are deleted with it.
    const { rows: ofQuizzes } = await gateway.deps.db.query(
      `select conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'quiz'::regclass and confdeltype <> 'c' order by 1`,
    );
    expect(ofQuizzes).toEqual([]);
  });
});

describe("mails about an administrator's action on an account", () => {
  /** Runs the mail worker on all pending events. */
  async function mailAll() {
    const mails: OutgoingMail[] = [];
    const send = async (mail: OutgoingMail) => void mails.push(mail);
    const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
    const deps = { ...gateway.deps, mailer: { send }, addresses };
    const { rows } = await gateway.deps.db.query(
      `select id, name, payload from outbox
       where name in ('account.deleted', 'account.disabled', 'account.enabled') order by id`,
    );
    const outcomes = [];
    for (const event of rows)
      outcomes.push(await HANDLERS[event.name as keyof typeof HANDLERS](deps, event));
    return { mails, outcomes };
  }
  const HANDLERS = {
    'account.deleted': mailAccountDeleted,
    'account.disabled': mailAccountDisabled,
    'account.enabled': mailAccountEnabled,
  };

  const KINDS = {
    'with a verified address': async () => {
      const user = await learner();
      await gateway.identity.verifyEmail(user.uid);
      return user;
    },
    'that has paid, without a verified address': async () => {
      const user = await gateway.identity.createPasswordUser();
      await buyAccess(gateway, user.idToken);
      return user;
    },
  };

  test.each(Object.entries(KINDS))(
    "a mail tells the user of an administrator's action: %s",
    async (_, make) => {
      const user = await make();
      await gateway.call('PUT', '/account/profile', {
        token: user.idToken,
        body: { language: 'en', display_name: 'Demo' },
      });
      const reason = 'Shared with\nothers.';
      expect((await call('POST', `/${user.uid}/disable`, { reason })).status).toBe(200);
      const { mails } = await mailAll();
      expect(mails).toMatchObject([{ to: user.email, subject: 'Your account is closed' }]);
      expect(mails[0]!.text).toContain('The reason is: Shared with others.');
      expect(mails[0]!.html).toContain('Shared with others.');

      await gateway.deps.db.query('truncate outbox');
      expect((await call('POST', `/${user.uid}/enable`)).status).toBe(200);
      const opened = await mailAll();
      expect(opened.mails).toMatchObject([
        { to: user.email, subject: 'Your account is open again' },
      ]);
      expect((await mailAll()).outcomes).toEqual(['sent_before']);

      await gateway.deps.db.query('truncate outbox');
      expect((await call('DELETE', `/${user.uid}`)).status).toBe(200);
      const gone = await mailAll();
      expect(gone.mails).toMatchObject([
        { to: user.email, subject: 'Your account has been deleted' },
      ]);
      expect(gone.mails[0]!.text).toContain('We have deleted your account with Prøveklar.');
      expect((await mailAll()).outcomes).toEqual(['not_needed']);
      const { rowCount } = await gateway.deps.db.query(
        'select from account_deletion where email = $1',
        [user.email],
      );
      expect(rowCount).toBe(0);
    },
  );

  test('the mail has no reason if none was given, and is Norwegian by default', async () => {
    const user = await learner();
    await gateway.identity.verifyEmail(user.uid);
    await call('POST', `/${user.uid}/disable`);
    const { mails } = await mailAll();
    expect(mails).toMatchObject([{ to: user.email, subject: 'Kontoen din er stengt' }]);
    expect(mails[0]!.text).not.toContain('Grunnen er');
    expect(mails[0]!.html).toContain('Vi har stengt kontoen din hos Prøveklar.');
  });

  test('no mail goes to an unverified address, even with granted days', async () => {
    const user = await learner();
    await call('POST', `/${user.uid}/disable`, { reason: 'Svindel' });
    expect((await mailAll()).outcomes).toEqual(['no_recipient']);
    await call('POST', `/${user.uid}/enable`);
    await call('DELETE', `/${user.uid}`);
    const { mails } = await mailAll();
    expect(mails).toEqual([]);
  });

  test('no mail goes out for an action that was reverted meanwhile', async () => {
    const user = await learner();
    await gateway.identity.verifyEmail(user.uid);
    await call('POST', `/${user.uid}/disable`);
    await call('POST', `/${user.uid}/enable`);
    expect((await mailAll()).outcomes).toEqual(['not_needed', 'sent']);
  });
});

describe('POST /admin/users/{uid}/disable and /enable', () => {
  test('disabling keeps a user out at once, enabling lets them in again', async () => {
    const user = await learner();
    const account = async () =>
      (await gateway.call('GET', '/account', { token: user.idToken })).status;
    const signIn = () => gateway.identity.signInWithPassword(user.email, user.password);
    for (const _again of [1, 2]) {
      const { status, body } = await call('POST', `/${user.uid}/disable`);
      expect([status, body.disabled, body.uid]).toEqual([200, true, user.uid]);
    }
    expect(await account()).toBe(401);
    await expect(signIn()).rejects.toThrow('USER_DISABLED');
    expect((await search(user.email)).body.users).toMatchObject([{ disabled: true }]);
    const { body } = await call('POST', `/${user.uid}/enable`);
    expect(body.disabled).toBe(false);
    // Only with a new sign-in.
    expect(await account()).toBe(401);
    await expect(signIn()).resolves.toMatchObject({ uid: user.uid });
    expect(await audited()).toEqual([
      { actor: boss.email, action: 'user.disabled', subject: user.email },
      { actor: boss.email, action: 'user.enabled', subject: user.email },
    ]);
    const { rows } = await gateway.deps.db.query(
      `select name, payload from outbox where name <> 'account.registered' order by id`,
    );
    const payload = { account_id: user.id };
    const changed = { name: 'account.changed', payload };
    expect(rows).toEqual([
      changed,
      { name: 'account.disabled', payload: { ...payload, entry_id: expect.any(String) } },
      changed,
      { name: 'account.enabled', payload },
    ]);
  });

  test('disabling refuses a blank reason', async () => {
    const user = await learner();
    const answer = await call('POST', `/${user.uid}/disable`, { reason: '  ' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('disabling works even while the identity provider fails', async () => {
    const user = await learner();
    expect(await whenProviderFails('POST', `/${user.uid}/disable`)).toBe(502);
    expect((await gateway.call('GET', '/account', { token: user.idToken })).status).toBe(401);
    expect((await search(user.email)).body.users).toMatchObject([{ disabled: true }]);
    // Repeated, for the provider: they are notified once.
    expect((await call('POST', `/${user.uid}/disable`)).status).toBe(200);
    const events = await gateway.deps.db.query(
      `select from outbox where name = 'account.disabled' and payload ->> 'account_id' = $1`,
      [user.id],
    );
    expect(events.rowCount).toBe(1);
  });

  test('disabling keeps out a user who has a token but no account yet', async () => {
    const user = await gateway.identity.createPasswordUser();
    expect((await call('POST', `/${user.uid}/disable`)).status).toBe(200);
    expect((await gateway.call('GET', '/account', { token: user.idToken })).status).toBe(401);
  });

  test('enabling does not restore a deleted user, and is 404 for an unknown one', async () => {
    const user = await learner();
    await whenProviderFails('DELETE', `/${user.uid}`);
    for (const uid of [user.uid, crypto.randomUUID()]) {
      for (const action of ['enable', 'disable']) {
        const answer = await call('POST', `/${uid}/${action}`);
        expect(answer).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
      }
    }
  });

  test('administrators cannot be disabled', async () => {
    const twin = crypto.randomUUID();
    await addDays(gateway.deps.db, { uid: twin, email: boss.email }, 0);
    for (const uid of [boss.uid, twin]) {
      const answer = await call('POST', `/${uid}/disable`);
      expect(answer).toMatchObject({ status: 403, body: { code: 'cannot_disable_self' } });
    }
  });
});
