import { beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';

// The administrator's calls of the specification's section 7, and the errors of its section 8, as a
// client written against it alone would make and meet them (see learner-calls.test.ts).
const gateway = useTestGateway();
let admin: { uid: string; idToken: string };

beforeAll(async () => {
  admin = await gateway.identity.signInWithGoogle({ email: gateway.deps.config.ADMIN_EMAIL });
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  gateway.call(method, path, {
    token: admin.idToken,
    ...(body !== undefined && { body }),
  });

const ok = <T>(answer: { status: number; body: T }): T => {
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

describe('section 7, users', () => {
  test('GET /api/v1/admin/users: users', async () => {
    const { users } = ok(await call('GET', '/admin/users'));
    expect(users[0]).toMatchObject({
      uid: expect.any(String),
      email: expect.any(String),
      disabled: expect.any(Boolean),
      created_at: expect.any(String),
    });
    for (const field of ['display_name', 'last_login', 'last_refresh']) {
      expect(users[0]).toHaveProperty(field);
    }
  });

  test('DELETE /api/v1/admin/users/{uid}', async () => {
    const user = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, user, 30);
    expect(ok(await call('DELETE', `/admin/users/${user.uid}`))).toEqual({ ok: true });
  });
});

describe('section 8, users', () => {
  test('"Unauthorized admin access"', async () => {
    const { idToken: token } = await gateway.identity.createPasswordUser();
    expect(await gateway.call('GET', '/admin/users', { token })).toMatchObject({
      status: 403,
      body: { error: 'Unauthorized admin access', code: 'admin_only' },
    });
  });

  test('"Cannot delete yourself"', async () => {
    expect(await call('DELETE', `/admin/users/${admin.uid}`)).toMatchObject({
      status: 403,
      body: { error: 'Cannot delete yourself', code: 'cannot_delete_self' },
    });
  });

  test('"Failed to fetch users": not signed in', async () => {
    expect(await gateway.call('GET', '/admin/users')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('"Failed to delete user": there is none', async () => {
    expect(await call('DELETE', '/admin/users/nobody')).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});
