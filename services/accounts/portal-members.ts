import type { Member, MemberRole, Role } from '@proveklar/contract/roles.ts';
import { type Actor, type Administrator, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { provesAddress, type VerifiedIdentity } from '#identity/verify-token.ts';

/**
 * The role of a caller in the portal; null for a learner. The address alone proves nothing: anyone can sign up
 * under it with a password, so a role needs a sign-in by Google under the verified address.
 */
export async function roleOf(
  db: Database,
  identity: VerifiedIdentity,
  owners: readonly string[],
): Promise<Role | null> {
  if (!provesAddress(identity)) return null;
  const { email } = identity;
  if (owners.includes(email)) return 'owner';
  const member = await findMember(db, email);
  if (member && !member.accepted) await acceptInvitation(db, email);
  return member?.role ?? null;
}

/** An invitation is accepted by the person's first call, which the audit log keeps. Safe to repeat. */
async function acceptInvitation(db: Database, email: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ role: MemberRole }>(
      `update portal_member set accepted_at = clock_timestamp()
       where email = $1 and accepted_at is null
         and not exists (select from account where email = $1 and state <> 'active')
       returning role`,
      [email],
    );
    if (!rows[0]) return;
    // By name: the first call may come before there is an account, which an actor needs.
    const details = { role: rows[0].role };
    await recordAction(tx, { actor: email, action: 'member.accepted', subject: email, details });
  });
}

/** The role that was given to an address, whoever has it. */
export async function roleOfAddress(
  db: Queryable,
  email: string,
  owners: readonly string[],
): Promise<Role | null> {
  return owners.includes(email) ? 'owner' : ((await findMember(db, email))?.role ?? null);
}

/** Whom the settings name as owners. */
export interface Owners {
  /** In lower case. */
  adminEmails: readonly string[];
}

/**
 * Only an owner disables, enables or deletes a person who works in the portal. In the transaction that acts, so that a
 * role that was given since the call began counts.
 *
 * @param emails the addresses of that person
 * @throws AppError `admin_only`
 */
export async function refuseColleague(
  tx: Transaction,
  { adminEmails }: Owners,
  by: Administrator,
  emails: readonly string[],
): Promise<void> {
  if ((by.role ?? 'owner') === 'owner') return;
  for (const email of emails) {
    if (await roleOfAddress(tx, email, adminEmails)) throw new AppError('admin_only');
  }
}

async function findMember(db: Queryable, email: string) {
  const { rows } = await db.query<{ role: MemberRole; accepted: boolean }>({
    name: 'portal-role',
    text: 'select role, accepted_at is not null as accepted from portal_member where email = $1',
    values: [email],
  });
  return rows[0];
}

type MemberRecord = Omit<Member, 'invited_at' | 'accepted_at'> & {
  invited_at: Date;
  accepted_at: Date | null;
};

/** The people whom an owner has invited, by address. */
export async function listMembers(db: Queryable): Promise<MemberRecord[]> {
  const { rows } = await db.query<MemberRecord>(
    'select id, email, role, invited_by, invited_at, accepted_at from portal_member order by email',
  );
  return rows;
}

interface Invitation {
  email: string;
  role: MemberRole;
  actor: Actor;
  owners: readonly string[];
}

/**
 * Gives a person a role, or another one. Safe to repeat.
 *
 * @throws AppError `already_owner`
 */
export async function inviteMember(
  db: Database,
  { email, role, actor, owners }: Invitation,
): Promise<void> {
  const address = email.trim().toLowerCase();
  if (owners.includes(address)) throw new AppError('already_owner');
  await withTransaction(db, async (tx) => {
    const before = await lockMember(tx, 'email', address);
    if (before?.role === role) return;
    await tx.query(
      `insert into portal_member (email, role, invited_by) values ($1, $2, $3)
       on conflict (email) do update set role = excluded.role`,
      [address, role, nameOf(actor)],
    );
    const details = { changes: { role: { before: before?.role ?? null, after: role } } };
    await recordAction(tx, { actor, action: 'member.invited', subject: address, details });
  });
}

/** Takes a person's role away, from their next call on. Safe to repeat. */
export async function withdrawMember(
  db: Database,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const member = await lockMember(tx, 'id', id);
    if (!member) return;
    await tx.query('delete from portal_member where id = $1', [id]);
    const details = { changes: { role: { before: member.role, after: null } } };
    await recordAction(tx, { actor, action: 'member.withdrawn', subject: member.email, details });
  });
}

async function lockMember(tx: Transaction, column: 'id' | 'email', value: number | string) {
  const { rows } = await tx.query<{ email: string; role: MemberRole }>(
    `select email, role from portal_member where ${column} = $1 for update`,
    [value],
  );
  return rows[0];
}
