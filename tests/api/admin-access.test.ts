import { beforeAll, describe, expect, test } from 'vitest';
import { MEMBER_ROLES } from '@proveklar/contract/roles.ts';
import { ROLES_OF } from '@proveklar/gateway/plugins/access.ts';
import type { GatewayDeps } from '@proveklar/gateway/deps.ts';
import { disableUser } from '@proveklar/services/accounts/disable-user.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail, withClaims, type SignedIn } from '#support/identity.ts';

// Calls every route of the portal, also routes added later, as each kind of person who may not. All are
// refused before a body is read, so none is sent.
const gateway = useTestGateway();
let email: string;
/** Has signed up with the administrator's address before the administrator. */
let squatter: SignedIn & { password: string };
let verified: SignedIn;

beforeAll(async () => {
  email = gateway.deps.config.ADMIN_EMAIL;
  squatter = await gateway.identity.createPasswordUser(email);
  await gateway.identity.verifyEmail(squatter.uid);
  verified = await gateway.identity.signInWithPassword(email, squatter.password);
});

/** Every route of the portal, with values for its parameters and the roles that it lets in. */
function adminCalls() {
  return gateway.app.routes.flatMap(({ method, url, config }) => {
    const roles = ROLES_OF[config!.access!];
    if (!roles) return [];
    return [method].flat().map((one) => ({
      roles,
      method: one as 'GET',
      url: url.replaceAll(/:\w+(\([^)]*\))?\??/g, crypto.randomUUID()).replaceAll('*', 'x'),
    }));
  });
}

interface Trying {
  called?: ReturnType<typeof adminCalls>;
  /** Sent with calls that change something; by default they have none. */
  payload?: string;
}

async function tryAll(token?: string, { called = adminCalls(), payload }: Trying = {}) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const calls = called.map(async ({ method, url }) => {
    const sent = payload !== undefined &&
      !/GET|HEAD/.test(method) && {
        // An import would wait for a worker, which does not run here.
        headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
        payload,
      };
    const response = await gateway.app.inject({ method, url, headers, ...sent });
    const { statusCode, body } = response;
    // The answer to HEAD has no body, and some are files.
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const { error, code } = body && isJson ? (JSON.parse(body) as Record<string, unknown>) : {};
    return { call: `${method} ${url}`, statusCode, ...(body && { error, code }) };
  });
  return Promise.all(calls);
}

test('the gateway has routes for administrators', () => {
  expect(adminCalls().length).toBeGreaterThan(3);
});

test("the test's tokens have the claims that these tests rely on", async () => {
  const claims = [squatter, verified].map(({ idToken }) => gateway.deps.verifyToken(idToken));
  expect(await Promise.all(claims)).toMatchObject([
    { email, emailVerified: false, signInProvider: 'password' },
    { email, emailVerified: true, signInProvider: 'password' },
  ]);
});

describe('every admin route refuses', () => {
  test('a caller without a token', async () => {
    for (const answer of await tryAll()) {
      expect(answer).toMatchObject({ statusCode: 401 });
      if (answer.code) expect(answer).toMatchObject({ code: 'unauthenticated' });
    }
  });

  test.each<[string, () => SignedIn | Promise<SignedIn>]>([
    ['a learner', () => gateway.identity.createPasswordUser()],
    ["an account under the administrator's address that is not verified", () => squatter],
    ["an account with a password under the administrator's verified address", () => verified],
    [
      'another person who signs in by Google',
      () => gateway.identity.signInWithGoogle({ email: uniqueEmail() }),
    ],
    [
      "a Google account with the administrator's address that is not verified",
      async () => {
        const user = await gateway.identity.signInWithGoogle({ email: uniqueEmail() });
        const idToken = withClaims(user.idToken, { email, email_verified: false });
        return { ...user, idToken };
      },
    ],
  ])('%s', async (_who, signIn) => {
    const { idToken } = await signIn();
    for (const answer of await tryAll(idToken)) {
      expect(answer).toMatchObject({ statusCode: 403 });
      if (!answer.code) continue;
      expect(answer).toMatchObject({ error: 'Unauthorized admin access', code: 'admin_only' });
    }
  });
});

test("a Google account whose address looks like the administrator's is let in nowhere", async () => {
  const { idToken } = await gateway.identity.signInWithGoogle({ email: uniqueEmail() });
  const [name, host] = email.split('@') as [string, string];
  const looksAlike = [
    email.replace('a', '\u0430'), // Cyrillic
    email.replace('e', '\u0435'),
    email.replace('@', '\uFF20'), // full width
    `${name}\u200B@${host}`, // no width
    `${name}@${host}.`,
    ` ${email}`,
    `${email}\u0000`,
    `${name}@\uFF45xample.no`,
    `${email},${uniqueEmail()}`,
    `"${name}"@${host}`,
  ];
  for (const address of looksAlike) {
    expect(address).not.toBe(email);
    const token = withClaims(idToken, { email: address, email_verified: true });
    const { status } = await gateway.call('GET', '/admin/users', { token });
    expect([401, 403], address).toContain(status);
  }
});

describe.each(MEMBER_ROLES)('a person whose role is %s', (role) => {
  const person = async () => {
    const { email: address, idToken } = await gateway.identity.signInWithGoogle({
      email: uniqueEmail(),
    });
    const owners = [email];
    await inviteMember(gateway.deps.db, { email: address, role, actor: 'test', owners });
    return { address, idToken };
  };

  test('is refused by every route of another role', async () => {
    const { idToken } = await person();
    const others = adminCalls().filter(({ roles }) => !roles.includes(role));
    expect(others.length).toBeGreaterThan(20);
    for (const answer of await tryAll(idToken, { called: others })) {
      expect(answer).toMatchObject({ statusCode: 403 });
      if (answer.code) expect(answer).toMatchObject({ code: 'admin_only' });
    }
  });

  test('is let in by every route of this role, until an owner takes the role away', async () => {
    const { address, idToken } = await person();
    const called = adminCalls().filter(({ roles }) => roles.includes(role));
    expect(called.length).toBeGreaterThan(5);
    const refused = (answers: { statusCode: number }[]) =>
      answers.filter(({ statusCode }) => statusCode === 401 || statusCode === 403).length;
    // With half a body, a call is let in and then changes nothing.
    const trying = { called, payload: '{' };
    expect(refused(await tryAll(idToken, trying))).toBe(0);

    const { idToken: owner } = await gateway.identity.signInWithGoogle({ email });
    const listed = await gateway.call('GET', '/admin/members', { token: owner });
    const { id } = listed.body.members.find((one: { email: string }) => one.email === address);
    await gateway.call('DELETE', `/admin/members/${id}`, { token: owner });
    expect(refused(await tryAll(idToken, trying))).toBe(called.length);
  });

  test('has this role in the account, and needs a sign-in by Google for it', async () => {
    const { address, idToken } = await person();
    const account = (token: string) => gateway.call('GET', '/account', { token });
    expect((await account(idToken)).body).toMatchObject({ role, is_admin: false });
    const byPassword = withClaims(idToken, {
      email: address,
      firebase: { sign_in_provider: 'password' },
    });
    expect((await account(byPassword)).body).toMatchObject({ role: null, is_admin: false });
    const unverified = withClaims(idToken, { email: address, email_verified: false });
    expect((await account(unverified)).body).toMatchObject({ role: null, is_admin: false });
  });
});

test('support disables and deletes learners, but nobody who works in the portal', async () => {
  const { identity, deps, call } = gateway;
  const google = await Promise.all(
    [email, uniqueEmail(), uniqueEmail()].map((address) =>
      identity.signInWithGoogle({ email: address }),
    ),
  );
  const [owner, editor, support] = google as [SignedIn, SignedIn, SignedIn];
  const owners = [email];
  const invite = (address: string, role: 'editor' | 'support') =>
    inviteMember(deps.db, { email: address, role, actor: 'test', owners });
  await Promise.all([invite(editor.email, 'editor'), invite(support.email, 'support')]);
  const learner = await identity.createPasswordUser();
  for (const { idToken: token } of [...google, learner]) await call('GET', '/account', { token });

  const act = async (uid: string) => {
    const options = { token: support.idToken, body: {} };
    return [
      (await call('POST', `/admin/users/${uid}/disable`, options)).status,
      (await call('POST', `/admin/users/${uid}/enable`, options)).status,
      (await call('DELETE', `/admin/users/${uid}`, options)).status,
    ];
  };
  expect(await act(owner.uid)).toEqual([403, 403, 403]);
  expect(await act(editor.uid)).toEqual([403, 403, 403]);
  expect(await act(learner.uid)).toEqual([200, 200, 200]);
});

test('a learner who gets a role in the portal while support disables them keeps the account', async () => {
  const { identity, deps } = gateway;
  const learner = await identity.createPasswordUser();
  const provider: GatewayDeps['identity'] = {
    ...deps.identity,
    // The gateway has let the call in, and the transaction has not begun.
    async findByUid(uid) {
      const found = await deps.identity.findByUid(uid);
      const member = { email: learner.email, role: 'editor', actor: 'test', owners: [] } as const;
      await inviteMember(deps.db, member);
      return found;
    },
  };
  const support = { uid: 'support', email: uniqueEmail(), role: 'support' } as const;
  const acting = { ...deps, identity: provider };
  await expect(disableUser(acting, learner.uid, support)).rejects.toMatchObject({
    code: 'admin_only',
  });
  const { rows } = await deps.db.query('select state from account where uid = $1', [learner.uid]);
  expect(rows).toEqual([]);
});

test('admin routes let the administrator in', async () => {
  const { idToken } = await gateway.identity.signInWithGoogle({ email });
  const answer = await gateway.call('GET', '/admin/users', { token: idToken });
  expect(answer).toMatchObject({ status: 200, body: { users: expect.any(Array) } });
});
