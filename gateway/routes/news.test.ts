import { expect, test } from 'vitest';
import { stopToken } from '@proveklar/services/learning/reminders.ts';
import { stopNewsToken } from '@proveklar/services/messages/news-consent.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
const AGREED = { news: true, consent: 'news-no-2026-11' };

/** A learner who agrees to news, and the token of their mails. */
async function agreed() {
  const { idToken } = await gateway.identity.createPasswordUser();
  const call = (method: 'GET' | 'PUT', body?: object) =>
    gateway.call(method, '/account/news', { token: idToken, ...(body && { body }) });
  expect((await call('GET')).body).toEqual({ news: false, agreed_at: null });
  await call('PUT', AGREED);
  const { rows } = await gateway.deps.db.query<{ id: string; key: Buffer; version: string }>(
    `select account_id as id, key, version from news_consent order by agreed_at desc limit 1`,
  );
  const agrees = async () => (await call('GET')).body.news as boolean;
  return { ...rows[0]!, token: stopNewsToken(rows[0]!.id, rows[0]!.key), agrees, call };
}

const stop = (token: string, type?: string, payload?: string) =>
  gateway.app.inject({
    method: 'POST',
    url: `/api/v1/news/stop?token=${encodeURIComponent(token)}`,
    ...(type !== undefined && { headers: { 'content-type': type } }),
    ...(payload !== undefined && { payload }),
  });

test('a consent is stored with the version of its text, and needs it', async () => {
  const { version, agrees, call } = await agreed();
  expect(version).toBe('news-no-2026-11');
  expect((await call('PUT', { news: false })).body).toEqual({ news: false, agreed_at: null });
  expect((await call('PUT', { news: true })).body).toMatchObject({ code: 'consent_required' });
  expect(await agrees()).toBe(false);
});

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['no body', undefined, undefined],
])('a one-click POST with %s withdraws the consent, once', async (_name, type, body) => {
  const { token, agrees } = await agreed();
  for (const _time of [1, 2]) {
    expect((await stop(token, type, body)).json()).toEqual({ ok: true });
    expect(await agrees()).toBe(false);
  }
});

test('a GET of the address leads to the page that asks, and changes nothing', async () => {
  const { token, agrees } = await agreed();
  const response = await gateway.app.inject({ url: `/api/v1/news/stop?token=${token}` });
  expect(response.statusCode).toBe(303);
  expect(response.headers.location).toBe(
    `${gateway.deps.config.PUBLIC_URL}/nyheter?token=${token}`,
  );
  expect(await agrees()).toBe(true);
});

test("a token of reminders, and one with another account's signature, stop no news", async () => {
  const [own, other] = [await agreed(), await agreed()];
  for (const token of [stopToken(own.id, own.key), stopNewsToken(own.id, other.key)]) {
    expect((await stop(token)).json()).toMatchObject({ code: 'not_found' });
  }
  expect(await own.agrees()).toBe(true);
});
