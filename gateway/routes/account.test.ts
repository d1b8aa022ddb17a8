import { describe, expect, test, vi } from 'vitest';
import { readAccount } from '@proveklar/services/accounts/account.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { acquireAccountLock } from '@proveklar/services/limits/limits.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import { createAdministrator } from '@proveklar/tests/support/factories.ts';
import { uniqueEmail, withClaims } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';

const { gateway, learner, events, called, retryAfterOf } = withOwnAccounts();

describe('PUT /account/profile', () => {
  test('changing the profile writes name and language here, and the name to the identity provider', async () => {
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
  ])('changing the profile refuses %j', async (body) => {
    const user = await learner();
    const field = Object.keys(body)[0];
    const answer = await user.change(body);
    expect(answer).toMatchObject({ status: 400, body: { details: { field } } });
    expect(await events()).toEqual([]);
  });

  test('the name is saved when the identity provider refuses it, and the error says so', async () => {
    const user = await learner();
    const away = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'setDisplayName').mockRejectedValueOnce(away);
    expect(await user.change({ display_name: 'Ola' })).toMatchObject({
      status: 502,
      body: { code: 'identity_provider_failed', details: { saved: true } },
    });
    expect(await user.get()).toMatchObject({ display_name: 'Ola' });
    expect((await user.change({ display_name: 'Ola' })).status).toBe(200);
    expect(await gateway.identity.findUser(user.email)).toMatchObject({ displayName: 'Ola' });
  });

  test('an invalid profile change is refused before it waits for a lock', async () => {
    const user = await learner();
    await called(user.id, 'profile_change', { count: 60 });
    await withTransaction(gateway.deps.db, async (tx) => {
      await acquireAccountLock(tx, user.id);
      expect((await user.change({ language: 'en' })).status).toBe(429);
    });
  });

  test('profile changes are limited to sixty an hour, with Retry-After', async () => {
    const user = await learner();
    await called(user.id, 'profile_change', { count: 59, minutes: 40 });
    expect((await user.change({ language: 'en' })).status).toBe(200);
    const change = { display_name: 'Ola' };
    const wait = await retryAfterOf('/account/profile', user.token, change);
    expect(wait).toBeGreaterThan(600);
    expect(wait).toBeLessThanOrEqual(1_200);
    expect(await user.get()).toMatchObject({ display_name: null });
    expect(await gateway.identity.findUser(user.email)).not.toHaveProperty('displayName');
    expect((await user.call('GET', '/account/export')).status).toBe(200);
    expect((await (await learner()).change(change)).status).toBe(200);
  });
});

test('an account that a first sign-in creates gets the language of the page', async () => {
  for (const [headers, language] of [
    [{ 'accept-language': 'en-GB,en;q=0.9' }, 'en'],
    [{ 'accept-language': 'en', cookie: 'a=b; i18next=no' }, 'no'],
    [{}, 'no'],
  ] as const) {
    const { idToken: token } = await gateway.identity.signInWithGoogle({ email: uniqueEmail() });
    expect((await gateway.call('GET', '/account', { token, headers })).body).toMatchObject({
      language,
    });
    // Only at the first sign-in: afterwards the learner's choice counts.
    const again = { token, headers: { 'accept-language': 'en' } };
    expect((await gateway.call('GET', '/account', again)).body).toMatchObject({ language });
  }
});

describe('a token with another address', () => {
  const emailOf = async (token: string) =>
    (await gateway.call('GET', '/account', { token })).body.email as string;

  test('a verified address in a token is adopted, and an older token does not restore the former one', async () => {
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

  test('an unverified address in a token changes nothing', async () => {
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

  test('a verified address in a token does not restore a deleted account', async () => {
    const user = await learner();
    await deleteUser(gateway.deps, user.uid, await createAdministrator(gateway.deps.db));
    const email = uniqueEmail();
    const token = withClaims(user.token, { email, email_verified: true });
    expect((await gateway.call('GET', '/account', { token })).body.code).toBe('account_disabled');
    expect((await readAccount(gateway.deps.db, user.id)).email).toContain('@invalid');
  });
});
