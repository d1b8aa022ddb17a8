import { describe, expect, test, vi } from 'vitest';
import { forgetPasswordLinks } from '@proveklar/services/accounts/password-links.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import type { DeliveredEvent } from '@proveklar/services/events/catalogue.ts';
import { mailPasswordChanged } from '@proveklar/services/mail-templates/password-changed.ts';
import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';
import { sendPasswordMails } from '@proveklar/tests/support/password-mails.ts';

const { gateway, query, learner } = withOwnAccounts();
const PASSWORD = 'et annet godt passord';

const forgot = (email: string, language?: string, from = '203.0.113.1') =>
  gateway.app.inject({
    method: 'POST',
    url: '/api/v1/password/forgot',
    remoteAddress: from,
    payload: { email, ...(language && { language }) },
  });
const check = (token: string) => gateway.call('POST', '/password/link', { body: { token } });
const choose = (token: string, password = PASSWORD) =>
  gateway.call('POST', '/password/choose', { body: { token, password } });

/** The token of a link that was mailed to a person who forgot the password. */
async function mailedToken(email: string): Promise<string> {
  expect((await forgot(email)).statusCode).toBe(202);
  const [mail] = await sendPasswordMails(gateway, email);
  return mail!.token!;
}

describe('POST /password/forgot', () => {
  test('mails a link in the language of the page, and its token is stored hashed', async () => {
    const { email } = await learner();
    expect((await forgot(email.toUpperCase(), 'en')).json()).toEqual({ ok: true });
    const [mail, ...others] = await sendPasswordMails(gateway, email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, subject: 'Choose a new password' });
    expect(mail!.html).toContain(`https://example.no/nytt-passord#token=${mail!.token!}`);
    const stored = await query('select to_jsonb(password_token) as row from password_token');
    expect(JSON.stringify(stored)).not.toContain(mail!.token);
    expect((await check(mail!.token!)).body).toEqual({ email });
  });

  test('answers the same for an address without an account, and mails nothing', async () => {
    const email = uniqueEmail();
    const answer = await forgot(email);
    expect([answer.statusCode, answer.json()]).toEqual([202, { ok: true }]);
    expect(await sendPasswordMails(gateway, email)).toEqual([]);
  });

  test('stores the same for every address, and looks no user up before the answer', async () => {
    const { identity } = gateway.deps;
    const lookUps = (['findByEmail', 'findByUid', 'listUsers'] as const).map((name) =>
      vi.spyOn(identity, name),
    );
    const stored = async (email: string) => {
      expect((await forgot(email)).statusCode).toBe(202);
      return query(
        `select reason, language, (select count(*)::int from outbox
           where payload ->> 'request_id' = password_request.id::text) as events
         from password_request where email = $1`,
        email,
      );
    };
    const { email } = await learner();
    const known = await stored(email);
    expect(known).toEqual([{ reason: 'forgotten', language: 'no', events: 1 }]);
    expect(await stored(uniqueEmail())).toEqual(known);
    for (const lookUp of lookUps) expect(lookUp).not.toHaveBeenCalled();
  });

  test('tells a person who only signs in with Google how to sign in', async () => {
    const email = uniqueEmail();
    await gateway.identity.signInWithGoogle({ email });
    await forgot(email);
    expect(await sendPasswordMails(gateway, email)).toMatchObject([
      { subject: 'Du logger inn med Google', token: null },
    ]);
  });

  test('mails nothing to a disabled user', async () => {
    const user = await learner();
    await gateway.deps.identity.setDisabled(user.uid, true);
    await forgot(user.email);
    expect(await sendPasswordMails(gateway, user.email)).toEqual([]);
  });

  test('is limited per address and network, so that a stranger cannot use up the owner’s requests', async () => {
    const { limits } = gateway.deps;
    const { perEmail } = limits;
    limits.perEmail = 2;
    try {
      const email = uniqueEmail();
      const statuses = async (from: string) => [
        (await forgot(email, 'no', from)).statusCode,
        (await forgot(email, 'no', from)).statusCode,
        (await forgot(email, 'no', from)).statusCode,
      ];
      expect(await statuses('203.0.113.1')).toEqual([202, 202, 429]);
      expect(await statuses('203.0.113.2')).toEqual([202, 202, 429]);
    } finally {
      limits.perEmail = perEmail;
    }
  });
});

describe('POST /password/choose', () => {
  test('sets the password, proves the address and ends all sessions before the answer', async () => {
    const user = await learner();
    const token = await mailedToken(user.email);
    expect(await choose(token)).toEqual({ status: 200, body: { email: user.email } });
    expect((await user.call('GET', '/account')).body.code).toBe('token_invalid');
    const { idToken } = await gateway.identity.signInWithPassword(user.email, PASSWORD);
    expect((await gateway.call('GET', '/account', { token: idToken })).status).toBe(200);
    const identity = await gateway.deps.identity.findByUid(user.uid);
    expect(identity).toMatchObject({ emailVerified: true });
    await expect(gateway.identity.signInWithPassword(user.email, user.password)).rejects.toThrow(
      'INVALID_LOGIN_CREDENTIALS',
    );
  });

  test('takes one of ten concurrent calls with the same link', async () => {
    const { email } = await learner();
    const token = await mailedToken(email);
    // All ten have read that the link is unused before the first goes on.
    const { identity } = gateway.deps;
    const { promise: allHere, resolve } = Promise.withResolvers<void>();
    const real = { ...identity };
    let here = 0;
    vi.spyOn(identity, 'findByUid').mockImplementation(async (uid) => {
      here += 1;
      if (here === 10) resolve();
      await allHere;
      return real.findByUid(uid);
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => choose(token, `${PASSWORD} ${n}`)),
    );
    vi.restoreAllMocks();
    const chosen = answers.findIndex(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 410, body: { code: 'password_link_invalid' } });
    }
    await gateway.identity.signInWithPassword(email, `${PASSWORD} ${chosen}`);
  });

  test.each([
    ['used', 'used_at = now()'],
    ['expired', 'expires_at = now()'],
  ])('refuses a link that is %s', async (reason, change) => {
    const { email, password } = await learner();
    const token = await mailedToken(email);
    await query(`update password_token set ${change} where email = $1`, email);
    const invalid = { status: 410, body: { code: 'password_link_invalid', details: { reason } } };
    expect(await check(token)).toMatchObject(invalid);
    expect(await choose(token)).toMatchObject(invalid);
    await gateway.identity.signInWithPassword(email, password);
  });

  test('refuses a token that we did not make', async () => {
    const invalid = { status: 410, body: { details: { reason: 'unknown' } } };
    expect(await choose('x'.repeat(43))).toMatchObject(invalid);
  });

  test('refuses a link to an address that the user has no longer', async () => {
    const { uid, email } = await learner();
    const token = await mailedToken(email);
    await gateway.identity.changeEmail(uid, uniqueEmail());
    expect(await choose(token)).toMatchObject({ body: { details: { reason: 'unknown' } } });
  });

  test('a changed password makes the other links void', async () => {
    const user = await learner();
    const [first, second] = [await mailedToken(user.email), await mailedToken(user.email)];
    await choose(second);
    expect((await check(first)).body.details).toEqual({ reason: 'used' });
    const third = await mailedToken(user.email);
    const { idToken } = await gateway.identity.signInWithPassword(user.email, PASSWORD);
    const body = { password: 'et tredje godt passord' };
    await gateway.call('PUT', '/account/password', { token: idToken, body });
    expect((await check(third)).body.details).toEqual({ reason: 'used' });
  });

  test.each(['kort', '12345678'])('refuses %s, and the link stays valid', async (weak) => {
    const { email } = await learner();
    const token = await mailedToken(email);
    expect((await choose(token, weak)).body.code).toBe('password_refused');
    expect((await choose(token)).status).toBe(200);
  });

  test('the link stays valid after the identity provider failed', async () => {
    const { email } = await learner();
    const token = await mailedToken(email);
    const lost = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'choosePassword').mockRejectedValueOnce(lost);
    expect((await choose(token)).status).toBe(502);
    expect((await choose(token)).status).toBe(200);
  });
});

describe('the mail about a changed password', () => {
  const mailed = async () => {
    const sent: OutgoingMail[] = [];
    const events = await query(`select id, payload from outbox where name = 'password.changed'`);
    for (const event of events) {
      await mailPasswordChanged(
        {
          db: gateway.deps.db,
          mailer: { send: async (mail) => void sent.push(mail) },
          addresses: { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' },
        },
        event as DeliveredEvent<'password.changed'>,
      );
    }
    return sent;
  };

  test('follows a change by a link, in the language of the account', async () => {
    const user = await learner();
    await user.change({ language: 'en' });
    await choose(await mailedToken(user.email));
    const [mail, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: user.email, subject: 'Your password has been changed' });
    expect(mail!.text).toContain('https://example.no/login?mode=reset');
  });

  test('follows a change in the profile', async () => {
    const user = await learner();
    await user.call('PUT', '/account/password', { password: PASSWORD });
    expect(await mailed()).toMatchObject([{ to: user.email, subject: 'Passordet ditt er endret' }]);
  });

  test('does not follow the choice of a first password', async () => {
    const { identity } = gateway.deps;
    const [uid, email] = [crypto.randomUUID(), uniqueEmail()];
    await identity.createUser({ uid, email, displayName: 'Ny' });
    await choose(await mailedToken(email));
    expect(await mailed()).toEqual([]);
    await gateway.identity.signInWithPassword(email, PASSWORD);
  });
});

test('links and requests are deleted with the account', async () => {
  const user = await learner();
  const token = await mailedToken(user.email);
  expect((await user.call('DELETE', '/account')).status).toBe(200);
  expect(await query('select from password_token where uid = $1', user.uid)).toEqual([]);
  expect(await query('select from password_request where email = $1', user.email)).toEqual([]);
  expect((await check(token)).status).toBe(410);
});

test('links and requests are deleted after a day', async () => {
  const { email } = await learner();
  await mailedToken(email);
  const { db } = gateway.deps;
  await withTransaction(db, forgetPasswordLinks);
  const left = () =>
    query(
      `select (select count(*)::int from password_request where email = $1) as requests,
         (select count(*)::int from password_token where email = $1) as tokens`,
      email,
    );
  expect(await left()).toEqual([{ requests: 1, tokens: 1 }]);
  for (const table of ['password_request', 'password_token']) {
    await query(
      `update ${table} set created_at = now() - interval '25 hours' where email = $1`,
      email,
    );
  }
  await withTransaction(db, forgetPasswordLinks);
  expect(await left()).toEqual([{ requests: 0, tokens: 0 }]);
});
