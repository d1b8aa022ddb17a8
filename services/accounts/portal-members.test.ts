import { beforeEach, expect, test } from 'vitest';
import type { MemberRole } from '@proveklar/contract/roles.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction } from '#database/pool.ts';
import { createAccount } from './account.ts';
import {
  inviteMember,
  listMembers,
  roleOf,
  roleOfAddress,
  withdrawMember,
} from './portal-members.ts';

const database = useTestDatabase();
const owners = ['eier@example.no'];
const EMAIL = 'redaktor@example.no';

const invite = (role: MemberRole, email = EMAIL) =>
  inviteMember(database.pool, { email, role, actor: 'eier@example.no', owners });
const audited = async () =>
  (await database.pool.query('select action, subject, details from audit_entry order by at, id'))
    .rows;

beforeEach(() => database.pool.query('truncate portal_member, audit_entry'));

test('a person is invited once, gets another role, and loses it', async () => {
  await invite('editor', '  Redaktor@Example.no ');
  await invite('editor');
  await invite('support');
  const [member] = await listMembers(database.pool);
  expect(member).toMatchObject({ email: EMAIL, role: 'support', invited_by: 'eier@example.no' });
  const withdraw = () => withdrawMember(database.pool, { id: member!.id, actor: 'test' });
  await Promise.all([withdraw(), withdraw(), withdraw()]);
  expect(await listMembers(database.pool)).toEqual([]);
  const subject = EMAIL;
  const changed = (before: string | null, after: string | null) => ({
    changes: { role: { before, after } },
  });
  expect(await audited()).toEqual([
    { action: 'member.invited', subject, details: changed(null, 'editor') },
    { action: 'member.invited', subject, details: changed('editor', 'support') },
    { action: 'member.withdrawn', subject, details: changed('support', null) },
  ]);
});

test('the first call with an invitation accepts it once, and only with a proven address', async () => {
  const identity = {
    uid: crypto.randomUUID(),
    email: EMAIL,
    emailVerified: true,
    signInProvider: 'google.com',
    displayName: null,
    signedInAt: 0,
    tokenIssuedAt: 0,
    tokenExpiresAt: 0,
  };
  await invite('operator');
  const role = (changes: object = {}) => roleOf(database.pool, { ...identity, ...changes }, owners);
  expect(await role({ emailVerified: false })).toBeNull();
  expect(await role({ signInProvider: 'password' })).toBeNull();
  expect((await listMembers(database.pool))[0]!.accepted_at).toBeNull();

  expect(await Promise.all([role(), role(), role()])).toEqual(['operator', 'operator', 'operator']);
  const [member] = await listMembers(database.pool);
  expect(member!.accepted_at).toBeInstanceOf(Date);
  // Another role needs no new acceptance; a new invitation does.
  await invite('editor');
  expect(await role()).toBe('editor');
  await withdrawMember(database.pool, { id: member!.id, actor: 'test' });
  expect(await role()).toBeNull();
  await invite('support');
  expect(await role()).toBe('support');
  expect((await audited()).map(({ action, details }) => [action, details.role])).toEqual([
    ['member.invited', undefined],
    ['member.accepted', 'operator'],
    ['member.invited', undefined],
    ['member.withdrawn', undefined],
    ['member.invited', undefined],
    ['member.accepted', 'support'],
  ]);
});

test('an owner cannot be invited as something less', async () => {
  await expect(invite('editor', ' EIER@example.no')).rejects.toMatchObject({
    code: 'already_owner',
  });
  expect(await roleOfAddress(database.pool, 'eier@example.no', owners)).toBe('owner');
});

test('an action that began with a role ends without it', async () => {
  const actor = { uid: crypto.randomUUID(), email: EMAIL };
  await createAccount(database.pool, { ...actor, displayName: null });
  await invite('editor');
  const act = (role: 'editor' | 'support') =>
    withTransaction(database.pool, (tx) =>
      recordAction(tx, {
        actor: { ...actor, role },
        action: 'question.edited',
        subject: '1',
      }),
    );
  await act('editor');
  await expect(act('support')).rejects.toMatchObject({ code: 'admin_only' });
  const [member] = await listMembers(database.pool);
  await withdrawMember(database.pool, { id: member!.id, actor: 'test' });
  await expect(act('editor')).rejects.toMatchObject({ code: 'admin_only' });
});
