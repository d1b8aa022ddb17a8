import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { EXAMPLE_STATUS } from '#openapi/examples/operations.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { readPauses, setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import { readStatus, storeStatus } from '@proveklar/services/database/service-status.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const gateway = useTestGateway();
let token: string;
let email: string;

beforeAll(async () => {
  email = uniqueEmail();
  ({ idToken: token } = await gateway.identity.signInWithGoogle({ email }));
  const { db, adminEmails: owners } = gateway.deps;
  await inviteMember(db, { email, role: 'operator', actor: 'test', owners });
  await gateway.call('GET', '/account', { token });
});
beforeEach(() =>
  emptyTables(
    gateway.deps.db,
    'rejected_event',
    'service_status',
    'queue_pause',
    'audit_entry',
    'event_batch',
  ),
);

async function reject(payload: object): Promise<number> {
  const { rows } = await gateway.deps.db.query<{ id: number }>(
    `insert into rejected_event (event_id, name, queue, batch_id, payload, reason)
     values ($1, 'payment.succeeded', 'mail', $1, $2, 'too long') returning id`,
    [randomUUID(), payload],
  );
  return rows[0]!.id;
}

test('an operator reads the newest status, and none that another version wrote', async () => {
  const { db } = gateway.deps;
  const read = async () => (await gateway.call('GET', '/admin/operations', { token })).body.status;
  expect(await read()).toBeNull();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  for (const minute of [1, 3, 2]) await storeStatus(db, { ...EXAMPLE_STATUS, at: at(minute) });
  expect(await read()).toEqual({ ...EXAMPLE_STATUS, at: at(3) });
  await db.query(`update service_status set status = '{"level": "splendid"}'`);
  expect(await readStatus(db)).toBeNull();
  expect(await read()).toBeNull();
});

test('an operator pauses and resumes a queue, which the audit log and the page show', async () => {
  const { db } = gateway.deps;
  const pauses = async () =>
    (await gateway.call('GET', '/admin/operations', { token })).body.pauses;
  const put = (queue: string, body: object) =>
    gateway.call('PUT', `/admin/queues/${queue}`, { token, body });
  expect(await pauses()).toEqual([]);
  expect(await put('mail', { paused: 'yes' })).toMatchObject({ status: 400 });
  expect(await put('none', { paused: true })).toMatchObject({
    status: 404,
    body: { code: 'not_found', error: 'There is no such queue' },
  });
  expect(await put('mail', { paused: true })).toMatchObject({ status: 200, body: { ok: true } });
  expect(await pauses()).toEqual([
    { queue: 'mail', paused: true, at: expect.any(String), by: email },
  ]);
  expect(await put('mail', { paused: false })).toMatchObject({ status: 200 });
  expect(await pauses()).toMatchObject([{ queue: 'mail', paused: false, by: email }]);
  const { rows } = await db.query('select actor, action, subject from audit_entry order by id');
  expect(rows).toEqual([
    { actor: email, action: 'queue.paused', subject: 'mail' },
    { actor: email, action: 'queue.resumed', subject: 'mail' },
  ]);
});

test('a role that is taken away while a queue is paused leaves the queue as it is', async () => {
  const { db } = gateway.deps;
  const { rows } = await db.query<{ uid: string }>('select uid from account where email = $1', [
    email,
  ]);
  const by = { uid: rows[0]!.uid, email, role: 'editor' as const };
  const pausing = setQueuesPaused(db, { names: ['mail'], paused: true, by });
  await expect(pausing).rejects.toMatchObject({ code: 'admin_only' });
  expect(await readPauses(db)).toEqual([]);
});

test('an operator sees rejected events without their payload, and retries and dismisses them', async () => {
  const [retried, dismissed] = [await reject({ email: 'kari@example.no' }), await reject({})];
  const list = () => gateway.call('GET', '/admin/rejected-events', { token });
  const { body } = await list();
  expect(body.events.map(({ id }: { id: number }) => id)).toEqual([retried, dismissed]);
  expect(JSON.stringify(body)).not.toMatch(/kari|payload/);

  const act = (what: string, sent: object) =>
    gateway.call('POST', `/admin/rejected-events/${what}`, { token, body: sent });
  expect(await act('dismiss', { ids: [dismissed], reason: '  ' })).toMatchObject({ status: 400 });
  expect(await act('retry', { ids: [retried, 999_999] })).toMatchObject({
    status: 409,
    body: { code: 'event_not_open', error: 'there is no event 999999' },
  });
  expect((await list()).body.total).toBe(2);
  expect(await act('retry', { ids: [retried] })).toMatchObject({ status: 200 });
  expect(await act('dismiss', { ids: [dismissed], reason: 'Counted' })).toMatchObject({
    status: 200,
  });
  expect((await list()).body).toEqual({ events: [], total: 0 });
  const { rows: audited } = await gateway.deps.db.query(
    'select actor, action from audit_entry order by id',
  );
  expect(audited).toEqual([
    { actor: email, action: 'event.retried' },
    { actor: email, action: 'event.dismissed' },
  ]);
  const { rows: delivered } = await gateway.deps.db.query('select queue from event_delivery');
  expect(delivered).toEqual([{ queue: 'mail' }]);
});
