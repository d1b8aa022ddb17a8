import { beforeAll, describe, expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;
beforeAll(async () => {
  const email = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
});

const STREIK = {
  word: 'streik',
  forms: ['streiken'],
  norwegian: 'Ansatte slutter å jobbe en tid.',
  english: 'strike',
};
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) =>
  gateway.call(method, `/admin/glossary${path}`, { token, ...(body && { body }) });

describe('the glossary for administrators', () => {
  test('is written, searched, exported and imported', async () => {
    const { status, body: created } = await call('POST', '', STREIK);
    expect(status).toBe(200);
    const clearer = { ...STREIK, norwegian: 'Ansatte stanser arbeidet.' };
    const changed = await call('PUT', `/${created.id}`, { ...clearer, revision: 1 });
    expect(changed.body).toMatchObject({ ...clearer, revision: 2 });
    expect((await call('GET', '?search=stanser')).body).toMatchObject({
      entries: [changed.body],
      total: 1,
    });

    const file = await gateway.app.inject({
      url: '/api/v1/admin/glossary/export',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="proveklar-glossary-.+\.csv"$/,
      ),
    });
    expect((await call('DELETE', `/${created.id}`)).body).toEqual({ ok: true });
    const imported = await call('POST', '/import', { csv: file.body });
    expect(imported.body).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: [] });
    expect((await call('GET')).body.entries[0]).toMatchObject(clearer);
  });

  test('is refused to learners', async () => {
    const learner = await gateway.identity.createPasswordUser();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/import'],
      ['POST', '/bank'],
      ['DELETE', '/bank'],
      ['GET', '/export'],
    ] as const) {
      const options = { token: learner.idToken, ...(method === 'POST' && { body: {} }) };
      const { status } = await gateway.call(method, `/admin/glossary${path}`, options);
      expect(status, `${method} ${path}`).toBe(403);
    }
  });

  test('refuses content that is no entry', async () => {
    for (const body of [
      { ...STREIK, word: '' },
      { ...STREIK, english: undefined },
      { ...STREIK, forms: Array.from({ length: 21 }, (_, n) => `ord${n}`) },
      { ...STREIK, norwegian: 'x'.repeat(201) },
      { ...STREIK, note: 'x' },
    ]) {
      expect((await call('POST', '', body)).body.code).toBe('validation_failed');
    }
    expect((await call('POST', '/import', { csv: 'x'.repeat(1_000_001) })).status).toBe(400);
  });
});

describe('the glossary for learners', () => {
  const read = (headers: Record<string, string> = {}) =>
    gateway.app.inject({ url: '/api/v1/glossary', headers });

  test('needs no token, and says nothing of administrators', async () => {
    await call('POST', '', { ...STREIK, word: 'lockout', forms: [] });
    await expect
      .poll(async () => JSON.stringify((await read()).json()))
      .toContain('"word":"lockout"');
    const { entries } = (await read()).json<{ entries: object[] }>();
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(['word', 'forms', 'norwegian', 'english']);
    }
  });

  test('is compressed, cached, and not sent again while it is the same', async () => {
    const first = await read({ 'accept-encoding': 'br' });
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding',
    });
    const again = await read({
      'accept-encoding': 'br',
      'if-none-match': String(first.headers.etag),
    });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });
});
