import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, createQuestions } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { fileRow, workOn } from '#support/imports.ts';

// The administrator's calls of the specification's section 7, and the errors of its section 8, as a
// client written from it alone would make and receive them (see learner-calls.test.ts).
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

  test('"Failed to delete user": no such user', async () => {
    expect(await call('DELETE', '/admin/users/unknown')).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});

describe('section 7, settings and feedback', () => {
  test('GET /api/v1/admin/settings: settings, first free and for 30 days', async () => {
    expect(ok(await call('GET', '/admin/settings'))).toMatchObject({ price: 0, service_days: 30 });
  });

  test('PUT /api/v1/admin/settings: settings', async () => {
    const settings = { price: 149.5, service_days: 45 };
    expect(ok(await call('PUT', '/admin/settings', settings))).toMatchObject(settings);
    expect(ok(await call('GET', '/admin/settings'))).toMatchObject(settings);
  });

  test('GET /api/v1/admin/feedback: feedback', async () => {
    expect(ok(await call('GET', '/admin/feedback'))).toMatchObject({ feedback: [] });
    await createQuestions(gateway.deps.db, { topic: 'Historie' });
    const { email, uid, idToken: token } = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, { email, uid }, 30);
    const quiz = await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } });
    const [{ id, uuid, topic, question }] = ok(quiz).questions;
    const body = { type: 'thumbs_down' };
    ok(await gateway.call('POST', `/questions/${uuid}/feedback`, { token, body }));
    const { feedback } = ok(await call('GET', '/admin/feedback'));
    expect(feedback).toMatchObject([
      {
        id: expect.any(String),
        created_at: expect.any(String),
        user_email: email,
        question_id: id,
        topic,
        question,
        type: 'thumbs_down',
      },
    ]);
  });
});

describe('section 8, settings and feedback', () => {
  test('"Failed to update settings": a price that cannot be charged', async () => {
    expect(await call('PUT', '/admin/settings', { price: 1, service_days: 30 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('3.00'), code: 'validation_failed' },
    });
  });

  test('"Failed to fetch settings", "Failed to fetch feedback": not an administrator', async () => {
    const { idToken: token } = await gateway.identity.createPasswordUser();
    for (const path of ['/admin/settings', '/admin/feedback']) {
      expect(await gateway.call('GET', path, { token })).toMatchObject({
        status: 403,
        body: { code: 'admin_only' },
      });
    }
  });
});

describe('section 7, questions', () => {
  const questions = async () => ok(await call('GET', '/questions?topic=Kurert')).questions;
  beforeAll(() => createQuestions(gateway.deps.db, { topic: 'Kurert', count: 2 }));

  test('GET /api/v1/questions: the bank', async () => {
    expect(await questions()).toHaveLength(2);
    expect((await questions())[0]).toMatchObject({
      id: expect.any(Number),
      uuid: expect.any(String),
      question: expect.any(String),
      answer: expect.any(String),
      incorrect: expect.any(Array),
      topic: 'Kurert',
      language: 'no',
      validated: true,
      times_selected: 0,
      times_correct: 0,
      times_incorrect: 0,
    });
  });

  test('POST /api/v1/questions/{id}/validate: validated', async () => {
    const [{ id, uuid }] = await questions();
    for (const name of [id, uuid]) {
      const answer = ok(await call('POST', `/questions/${name}/validate`, { validated: true }));
      expect(answer).toMatchObject({ validated: true });
    }
  });

  test('PUT /api/v1/questions/{id}/topic', async () => {
    const [{ id }] = await questions();
    ok(await call('PUT', `/questions/${id}/topic`, { topic: 'Et annet' }));
    ok(await call('PUT', `/questions/${id}/topic`, { topic: 'Kurert' }));
  });

  test('DELETE /api/v1/questions/{id}', async () => {
    const [{ id }] = await questions();
    expect(ok(await call('DELETE', `/questions/${id}`))).toMatchObject({ ok: true });
    expect(await questions()).toHaveLength(1);
  });
});

describe('section 7, import', () => {
  /** Makes the call, and processes the import meanwhile, as a worker would. */
  async function importFile(body: unknown) {
    const { db } = gateway.deps;
    const answer = call('POST', '/import/questions', body);
    const arrived = async () => {
      const { rows } = await db.query(`select id from question_import where state = 'processing'`);
      return rows[0]?.id as string | undefined;
    };
    await expect.poll(arrived).toBeTruthy();
    await workOn(db, (await arrived())!);
    return answer;
  }

  test('POST /api/v1/import/questions: message, count', async () => {
    const file = [fileRow('First?'), fileRow('Second?')];
    const message = 'Imported 2 questions';
    expect(ok(await importFile(file))).toMatchObject({ message, count: 2 });
    expect(ok(await importFile(file))).toMatchObject({ count: 0 });
  });

  test('"import failed": not a list', async () => {
    expect(await importFile({ questions: [] })).toMatchObject({
      status: 400,
      body: {
        error: expect.any(String),
        code: 'import_refused',
        details: { reason: 'not_an_array', row: null, byte: 0 },
      },
    });
  });
});
