import { expect, test } from 'vitest';
import { stopToken } from '@proveklar/services/learning/reminders.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

/** A learner with reminders, and the token of their mails. */
async function learnerWithReminders() {
  const { idToken } = await gateway.identity.createPasswordUser();
  const body = { reminders: true, reminders_consent: 'reminders-no-2026-11' };
  await gateway.call('PUT', '/learning', { token: idToken, body });
  const { rows } = await gateway.deps.db.query<{ id: string; key: Buffer }>(
    `select account_id as id, reminders_key as key from learner_plan
     order by reminders_agreed_at desc limit 1`,
  );
  const areOn = async () =>
    (await gateway.call('GET', '/learning', { token: idToken })).body.reminders as boolean;
  return { ...rows[0]!, token: stopToken(rows[0]!.id, rows[0]!.key), areOn };
}

const stop = (token: string, type?: string, payload?: string) =>
  gateway.app.inject({
    method: 'POST',
    url: `/api/v1/learning/reminders/stop?token=${encodeURIComponent(token)}`,
    ...(type !== undefined && { headers: { 'content-type': type } }),
    ...(payload !== undefined && { payload }),
  });

const BOUNDARY =
  '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['a multipart form', 'multipart/form-data; boundary=x', BOUNDARY],
  ['no body', undefined, undefined],
])(
  'a one-click POST with %s stops reminders, and a second one changes nothing',
  async (_name, type, body) => {
    const { token, areOn } = await learnerWithReminders();
    expect(await areOn()).toBe(true);
    for (const _time of [1, 2]) {
      expect((await stop(token, type, body)).json()).toEqual({ ok: true });
      expect(await areOn()).toBe(false);
    }
  },
);

test('a GET leads to the page that asks, and changes nothing', async () => {
  const { token, areOn } = await learnerWithReminders();
  const response = await gateway.app.inject({
    url: `/api/v1/learning/reminders/stop?token=${token}`,
  });
  expect(response.statusCode).toBe(303);
  expect(response.headers.location).toBe(
    `${gateway.deps.config.PUBLIC_URL}/paminnelser?token=${token}`,
  );
  expect(await areOn()).toBe(true);
});

test("a token with another account's signature, and one of a deleted account, are refused", async () => {
  const [own, other] = [await learnerWithReminders(), await learnerWithReminders()];
  const mixed = stopToken(own.id, other.key);
  expect((await stop(mixed)).json()).toMatchObject({ code: 'not_found' });
  expect((await stop('x')).json()).toMatchObject({ code: 'validation_failed' });
  expect(await own.areOn()).toBe(true);
  await gateway.deps.db.query('delete from learner_plan where account_id = $1', [own.id]);
  expect((await stop(own.token)).json()).toMatchObject({ code: 'not_found' });
});
