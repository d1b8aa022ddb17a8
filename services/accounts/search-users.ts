import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import type { UserPage, UserPageWish } from './list-users.ts';
import { joinActivity, type UserDeps } from './user.ts';

interface Match {
  id: string;
  uid: string;
  email: string;
}

/** Shorter parts have no trigram, and are looked for at the beginning of the address only. */
const SHORTEST_PART = 3;
const ADDRESS = /^[^@\s]+@[^@\s]+[.][^@\s]+$/;

/**
 * A page of the users whose address has `part` in it, by address. The identity provider finds whole
 * addresses only, so the parts are looked for in our accounts, and the provider is asked about
 * these; a whole address is looked for at the provider too, for somebody who has no account here.
 *
 * @throws AppError `validation_failed` for a page token that is none, `identity_provider_failed`
 */
export async function searchUsers(
  { db, identity }: UserDeps,
  part: string,
  { pageSize, pageToken }: UserPageWish,
): Promise<UserPage> {
  const wanted = part.trim().toLowerCase();
  const [matches, elsewhere] = await Promise.all([
    findAccounts(db, wanted, pageSize + 1, pageToken),
    pageToken ? null : findElsewhere(db, identity, wanted),
  ]);
  const shown = matches.slice(0, pageSize);
  const uids = shown.map(({ uid }) => uid);
  const identities = await identity.findUsers(uids);
  if (elsewhere) {
    uids.unshift(elsewhere.uid);
    identities.push(elsewhere);
  }
  return {
    users: await joinActivity(db, uids, identities),
    nextPageToken: matches.length > pageSize ? toToken(shown.at(-1)!) : null,
  };
}

async function findAccounts(
  db: Database,
  part: string,
  limit: number,
  pageToken: string | undefined,
): Promise<Match[]> {
  const literal = part.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = part.length < SHORTEST_PART ? `${literal}%` : `%${literal}%`;
  const after = pageToken === undefined ? null : fromToken(pageToken);
  const { rows } = await db.query<Match>(
    `select id, uid, email from account
     where state <> 'deleted' and email like $1 ${after ? 'and (email, id) > ($3, $4)' : ''}
     order by email, id limit $2`,
    after ? [pattern, limit, after.email, after.id] : [pattern, limit],
  );
  return rows;
}

/** The provider's user of an address whose account here is not found by it, or does not exist. */
async function findElsewhere(db: Database, provider: IdentityProvider, address: string) {
  if (!ADDRESS.test(address)) return null;
  const user = await provider.findByEmail(address).catch((error: unknown) => {
    // No address after all.
    if (error instanceof AppError && error.code === 'email_refused') return null;
    throw error;
  });
  if (!user) return null;
  const { rowCount } = await db.query(
    `select from account where uid = $1 and email = $2 and state <> 'deleted'`,
    [user.uid, address],
  );
  return rowCount ? null : user;
}

/** Where the next page begins: after this account, whatever has changed meanwhile. */
function toToken({ id, email }: Match): string {
  return Buffer.from(`${id} ${email}`).toString('base64url');
}

function fromToken(token: string): Pick<Match, 'id' | 'email'> {
  const text = Buffer.from(token, 'base64url').toString();
  const [, id, email] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([^\0]*)$/.exec(text) ?? [];
  if (id === undefined || email === undefined) {
    throw new AppError('validation_failed', {
      message: 'page_token is not one that this search has given out',
      details: { field: 'page_token', part: 'querystring' },
    });
  }
  return { id, email };
}
