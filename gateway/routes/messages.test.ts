import { beforeAll, expect, test } from 'vitest';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { recordTested } from '@proveklar/services/messages/messages.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';

const gateway = useTestGateway();
const CONTENT = {
  kind: 'service',
  audience: 'all',
  texts: { no: { subject: 'Nytt', body: 'Hei' } },
};
let token: string;
let email: string;

beforeAll(async () => {
  email = uniqueEmail();
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
  const owners = [gateway.deps.config.ADMIN_EMAIL];
  await inviteMember(gateway.deps.db, { email, role: 'support', actor: 'test', owners });
  await createLearner(gateway.deps.db);
});

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  (
    await gateway.call(method, `/admin/messages${path}`, {
      token,
      ...(body !== undefined && { body }),
    })
  ).body;

test('support writes a message, tests it, sends it and stops it, and the log has each step', async () => {
  const draft = await call('POST', '', CONTENT);
  expect(draft).toMatchObject({ state: 'draft', is_tested: false, created_by: email });
  expect(await call('POST', `/${draft.id}/start`)).toMatchObject({ code: 'message_not_tested' });
  expect(await call('POST', `/${draft.id}/test`)).toEqual({ ok: true });
  const { rows: events } = await gateway.deps.db.query(
    `select payload from outbox where name = 'message.test_requested'`,
  );
  expect(events).toEqual([
    { payload: { message_id: draft.id, entry_id: expect.any(String), revision: 1 } },
  ]);
  await recordTested(gateway.deps.db, draft.id, 1);
  expect(await call('POST', `/${draft.id}/start`)).toMatchObject({ state: 'sending' });
  expect(await call('PUT', `/${draft.id}`, { ...CONTENT, revision: 1 })).toMatchObject({
    code: 'message_state',
  });
  expect(await call('POST', `/${draft.id}/stop`)).toMatchObject({ state: 'stopped' });
  const { rows } = await gateway.deps.db.query(
    'select actor, action, details from audit_entry where subject = $1 order by id',
    [draft.id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'message.created',
    'message.tested',
    'message.started',
    'message.stopped',
  ]);
  expect(rows[2]).toMatchObject({
    actor: email,
    details: { kind: 'service', audience: 'all', languages: ['no'], subject: 'Nytt' },
  });
});

test('a change of a tested draft must be tested again', async () => {
  const draft = await call('POST', '', CONTENT);
  await recordTested(gateway.deps.db, draft.id, 1);
  expect(await call('GET', `/${draft.id}`)).toMatchObject({ is_tested: true });
  const changed = await call('PUT', `/${draft.id}`, { ...CONTENT, revision: 1 });
  expect(changed).toMatchObject({ revision: 2, is_tested: false });
  expect(await call('PUT', `/${draft.id}`, { ...CONTENT, revision: 1 })).toMatchObject({
    code: 'message_changed',
  });
});

test('a message needs recipients', async () => {
  const draft = await call('POST', '', { ...CONTENT, kind: 'news' });
  await recordTested(gateway.deps.db, draft.id, 1);
  expect(await call('POST', `/${draft.id}/start`)).toMatchObject({
    code: 'validation_failed',
    details: { reason: 'no_recipients' },
  });
});

test.each([
  ['no language', {}],
  ['a subject of two lines', { no: { subject: 'a\nb', body: 'Hei' } }],
  ['an empty text', { no: { subject: 'Nytt', body: '  ' } }],
])('a message with %s is refused', async (_what, texts) => {
  expect(await call('POST', '', { ...CONTENT, texts })).toMatchObject({
    code: 'validation_failed',
  });
});

test('messages are listed newest first, page by page', async () => {
  for (let n = 0; n < 21; n += 1) await call('POST', '', CONTENT);
  const first = await call('GET', '');
  expect(first.messages).toHaveLength(20);
  const second = await call('GET', `?before=${first.next_before}`);
  const listed = [...first.messages, ...second.messages].map(({ id }: { id: string }) => id);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toEqual(listed.toSorted().toReversed());
});
