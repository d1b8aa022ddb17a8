import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';

/**
 * Refuses a token from a sign-in before the sessions of its account were ended.
 *
 * @throws AppError `token_invalid`
 */
export function refuseEndedSession(
  { tokens_valid_after: validAfter }: { tokens_valid_after: Date | null },
  { signedInAt }: Pick<VerifiedIdentity, 'signedInAt'>,
): void {
  if (validAfter && signedInAt < validAfter.getTime()) throw new AppError('token_invalid');
}

/** Refuses tokens from sign-ins before a moment; one that is refused already stays refused. */
export async function endSessionsBefore(
  tx: Transaction,
  accountId: string,
  moment: Date,
): Promise<void> {
  const { rowCount } = await tx.query(
    `update account set tokens_valid_after = $2
     where id = $1 and (tokens_valid_after is null or tokens_valid_after < $2)`,
    [accountId, moment],
  );
  if (rowCount === 1) await emit(tx, 'account.changed', { account_id: accountId });
}

/**
 * The moment from which on sign-ins count when sessions are ended now, in SQL. Times of sign-ins are
 * whole seconds: one within the current second may have come before or after.
 */
export const NEXT_SECOND = `date_trunc('second', clock_timestamp()) + interval '1 second'`;

/**
 * Refuses all tokens that there are. The account's live updates end as well.
 *
 * @returns in how many milliseconds a new sign-in counts: 1000 at most
 */
export async function endSessions(tx: Transaction, accountId: string): Promise<number> {
  const { rows } = await tx.query<{ ms: number }>(
    `update account set tokens_valid_after = greatest(tokens_valid_after, ${NEXT_SECOND})
     where id = $1
     returning ceil(extract(epoch from tokens_valid_after - clock_timestamp()) * 1000)::int as ms`,
    [accountId],
  );
  await emit(tx, 'account.changed', { account_id: accountId });
  return rows[0]?.ms ?? 0;
}

/** The provider looks up so many users in one call. */
const AT_A_TIME = 100;

/**
 * Ends sessions that were ended at the sign-in service without us: a password chosen by a link, tokens
 * revoked, a user disabled or removed in the Firebase console.
 *
 * @param sessions users who are signed in, each with the time of the oldest sign-in among their tokens, in
 *   milliseconds since 1970
 * @throws AppError `identity_provider_failed`
 */
export async function endOutsideSessions(
  { db, identity }: { db: Database; identity: Pick<IdentityProvider, 'findUsers'> },
  sessions: ReadonlyMap<string, number>,
): Promise<void> {
  const uids = [...sessions.keys()];
  for (let start = 0; start < uids.length; start += AT_A_TIME) {
    const part = uids.slice(start, start + AT_A_TIME);
    const found = await identity.findUsers(part);
    const users = new Map(found.map((user) => [user.uid, user]));
    for (const uid of part) {
      const user = users.get(uid);
      if (isEnded(user, sessions.get(uid)!)) await endAt(db, uid, user);
    }
  }
}

function isEnded(user: IdentityUser | undefined, signedInAt: number): boolean {
  if (!user || user.disabled) return true;
  return user.tokensValidAfter !== null && user.tokensValidAfter.getTime() > signedInAt;
}

async function endAt(db: Database, uid: string, user: IdentityUser | undefined): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from account where uid = $1 and state = 'active' for update`,
      [uid],
    );
    const [account] = rows;
    if (!account) return;
    if (!user || user.disabled) await endSessions(tx, account.id);
    else await endSessionsBefore(tx, account.id, user.tokensValidAfter!);
  });
}
