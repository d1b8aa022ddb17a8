import { beforeAll, describe, expect, test } from 'vitest';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail, withClaims, type SignedIn } from '#support/identity.ts';

// Calls every route with `access: 'admin'`, also routes added later, as each kind of person who is not
// an administrator. All are refused before a body is read, so none is sent.
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

/** Every route of the administrator, with values for its parameters. */
function adminCalls() {
  const routes = gateway.app.routes.filter(({ config }) => config?.access === 'admin');
  return routes.flatMap(({ method, url }) =>
    [method].flat().map((one) => ({
      method: one as 'GET',
      url: url.replaceAll(/:\w+(\([^)]*\))?\??/g, crypto.randomUUID()).replaceAll('*', 'x'),
    })),
  );
}

async function tryAll(token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const calls = adminCalls().map(async ({ method, url }) => {
    const { statusCode, body } = await gateway.app.inject({ method, url, headers });
    // The answer to HEAD has no body.
    const { error, code } = body ? (JSON.parse(body) as Record<string, unknown>) : {};
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

test('admin routes let the administrator in', async () => {
  const { idToken } = await gateway.identity.signInWithGoogle({ email });
  const answer = await gateway.call('GET', '/admin/users', { token: idToken });
  expect(answer).toMatchObject({ status: 200, body: { users: expect.any(Array) } });
});
