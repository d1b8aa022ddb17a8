import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { uniqueEmail, withClaims } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';

const { gateway, query, learner } = withOwnAccounts();
const NEW_PASSWORD = 'et annet godt passord';
const ENDED = { status: 401, body: { code: 'token_invalid' } };
let admin: string;

beforeEach(async () => {
  const { idToken } = await gateway.identity.signInWithGoogle({
    email: gateway.deps.config.ADMIN_EMAIL,
  });
  admin = idToken;
});

type Learner = Awaited<ReturnType<typeof learner>>;

/** A learner with an open quiz. */
async function practising() {
  const user = await learner();
  const { body: quiz } = await user.call('POST', '/quiz/start', { topic: 'Historie' });
  const [question] = quiz.questions;
  const answer = { question_id: question.uuid, answer: question.options[0] };
  return { ...user, answer: () => user.call('POST', `/quiz/${quiz.id}/answer`, answer) };
}

const changePassword = ({ call }: Pick<Learner, 'call'>, password = NEW_PASSWORD) =>
  call('PUT', '/account/password', { password });

/** The new password works at once. */
async function expectSignIn({ email }: { email: string }, password: string): Promise<void> {
  const { idToken } = await gateway.identity.signInWithPassword(email, password);
  expect((await gateway.call('GET', '/account', { token: idToken })).status).toBe(200);
}

describe('PUT /account/password', () => {
  test('changing the password invalidates older tokens before the response, and the new password works at once', async () => {
    const user = await practising();
    expect(await changePassword(user)).toEqual({ status: 200, body: { ok: true } });
    expect(await user.call('GET', '/account')).toMatchObject(ENDED);
    expect(await user.call('GET', '/quiz/history')).toMatchObject(ENDED);
    expect(await user.call('GET', '/events')).toMatchObject(ENDED);
    expect(await user.change({ display_name: 'Kari' })).toMatchObject(ENDED);
    expect(await user.answer()).toMatchObject(ENDED);
    expect(await user.call('POST', '/payment/create-intent')).toMatchObject(ENDED);
    expect(await user.call('DELETE', '/account')).toMatchObject(ENDED);
    expect(await query('select state from account where id = $1', user.id)).toEqual([
      { state: 'active' },
    ]);
    await expectSignIn(user, NEW_PASSWORD);
    await expect(gateway.identity.signInWithPassword(user.email, user.password)).rejects.toThrow(
      'INVALID_LOGIN_CREDENTIALS',
    );
  });

  test('changing the password needs a sign-in of the last five minutes', async () => {
    const user = await learner();
    const auth_time = Math.floor(Date.now() / 1000) - 301;
    const token = withClaims(user.token, { auth_time });
    const body = { password: NEW_PASSWORD };
    const answer = await gateway.call('PUT', '/account/password', { token, body });
    expect(answer).toMatchObject({ body: { code: 'recent_sign_in_required' } });
    await expectSignIn(user, user.password);
  });

  test('a common password, or the own address as password, is refused and ends no session', async () => {
    const user = await learner();
    for (const [password, reason] of [
      ['12345678', 'common'],
      [user.email, 'personal'],
      ['kort', 'short'],
    ] as const) {
      const answer = { code: 'password_refused', details: { reason } };
      expect(await changePassword(user, password)).toMatchObject({ status: 400, body: answer });
    }
    expect((await user.call('GET', '/account')).status).toBe(200);
    await expectSignIn(user, user.password);
  });

  test('a password that the identity provider refuses ends no session', async () => {
    const user = await learner();
    const refused = new AppError('password_refused');
    vi.spyOn(gateway.deps.identity, 'setPassword').mockRejectedValueOnce(refused);
    expect(await changePassword(user)).toMatchObject({ body: { code: 'password_refused' } });
    expect((await user.call('GET', '/account')).status).toBe(200);
  });

  test('an interrupted change of the password is found by the next session check', async () => {
    const user = await learner();
    const lost = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'endSessions').mockRejectedValueOnce(lost);
    expect((await changePassword(user)).status).toBe(502);
    const token = earlier(user.token);
    expect((await gateway.call('GET', '/account', { token })).status).toBe(200);
    await gateway.app.sessions.check();
    expect(await gateway.call('GET', '/account', { token })).toMatchObject(ENDED);
  });
});

describe('POST /account/email', () => {
  const ask = ({ call }: Pick<Learner, 'call'>, email: string) =>
    call('POST', '/account/email', { email });

  test('an e-mail change mails a link to the new address, and the old one is valid until it is opened', async () => {
    const user = await learner();
    const email = uniqueEmail();
    expect(await ask(user, email.toUpperCase())).toEqual({ status: 200, body: { ok: true } });
    expect((await user.get()).email).toBe(user.email);
    const codes = await gateway.identity.allMailedCodes();
    const types = codes.filter((code) => code.email === user.email || code.email === email);
    expect(types.map(({ requestType }) => requestType)).toEqual(['VERIFY_AND_CHANGE_EMAIL']);
  });

  test('an e-mail change to an address of another user gets the same response, and mails nothing', async () => {
    const [user, other] = [await learner(), await learner()];
    expect(await ask(user, other.email)).toEqual({ status: 200, body: { ok: true } });
    expect(await gateway.identity.mailedCodes(other.email)).toEqual([]);
    expect(await gateway.identity.mailedCodes(user.email)).toEqual([]);
  });

  test('an e-mail change needs a sign-in of the last five minutes', async () => {
    const user = await learner();
    const token = withClaims(user.token, { auth_time: Math.floor(Date.now() / 1000) - 301 });
    const body = { email: uniqueEmail() };
    const answer = await gateway.call('POST', '/account/email', { token, body });
    expect(answer).toMatchObject({ body: { code: 'recent_sign_in_required' } });
  });
});

test('a user who was disabled and enabled must sign in again', async () => {
  const user = await learner();
  for (const action of ['disable', 'enable']) {
    const answer = await gateway.call('POST', `/admin/users/${user.uid}/${action}`, {
      token: admin,
    });
    expect(answer.status).toBe(200);
    if (action === 'disable') {
      expect((await user.call('GET', '/account')).body.code).toBe('account_disabled');
    }
  }
  expect(await user.call('GET', '/account')).toMatchObject(ENDED);
});

test('a new address ends older sessions', async () => {
  const user = await learner();
  const email = uniqueEmail();
  const claims = { email, email_verified: true, iat: Math.floor(Date.now() / 1000) + 2 };
  const auth_time = Math.floor(Date.now() / 1000) + 2;
  const token = withClaims(user.token, { ...claims, auth_time });
  expect((await gateway.call('GET', '/account', { token })).body.email).toBe(email);
  expect(await user.call('GET', '/account')).toMatchObject(ENDED);
});

/** The token of a sign-in two seconds earlier: sign-in times are whole seconds. */
function earlier(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  return withClaims(token, { auth_time: claims.auth_time - 2 });
}

describe('a change at the identity provider', () => {
  const CHANGES: Record<string, (user: Learner) => Promise<unknown>> = {
    'a password chosen by a link': async ({ email }) => {
      // By Firebase's own page, which an older mail leads to.
      await gateway.identity.requestPasswordReset(email);
      const [mail] = await gateway.identity.mailedCodes(email);
      await gateway.identity.resetPassword(mail!.oobCode, NEW_PASSWORD);
    },
    'revoked tokens': ({ uid }) => gateway.deps.identity.endSessions(uid),
    'a disabled user': ({ uid }) => gateway.deps.identity.setDisabled(uid, true),
    'a removed user': ({ uid }) => gateway.identity.deleteUser(uid),
  };

  test.each(Object.keys(CHANGES))(
    'the next session check finds a change at the identity provider: %s',
    async (what) => {
      const [user, other] = [await learner(), await learner()];
      const token = earlier(user.token);
      const read = () => gateway.call('GET', '/account', { token });
      expect((await read()).status).toBe(200);
      await other.get();
      await CHANGES[what]!(user);
      expect((await read()).status).toBe(200);
      await gateway.app.sessions.check();
      expect(await read()).toMatchObject(ENDED);
      expect((await other.call('GET', '/account')).status).toBe(200);
    },
  );

  test('the session check retries after the identity provider was unreachable', async () => {
    const user = await learner();
    const token = earlier(user.token);
    const read = () => gateway.call('GET', '/account', { token });
    await read();
    await gateway.deps.identity.endSessions(user.uid);
    const away = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'findUsers').mockRejectedValueOnce(away);
    await gateway.app.sessions.check();
    await gateway.app.sessions.check();
    expect(await read()).toMatchObject(ENDED);
  });

  test('the session check looks up only users who have called, once', async () => {
    await gateway.app.sessions.check();
    const lookUp = vi.spyOn(gateway.deps.identity, 'findUsers');
    const user = await learner();
    await gateway.app.sessions.check();
    expect(lookUp).not.toHaveBeenCalled();
    await user.get();
    await gateway.app.sessions.check();
    await gateway.app.sessions.check();
    expect(lookUp.mock.calls).toEqual([[[user.uid]]]);
  });
});
