import type { Database } from '#database/pool.ts';
import type { IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import { SERVICE, type Account } from './account.ts';

export interface UserDeps {
  db: Database;
  identity: IdentityProvider;
}

/** Somebody as an administrator sees them: what the identity provider knows, and what they did here. */
export interface User {
  uid: string;
  /** Lower case; empty for a user of the provider who has none. */
  email: string;
  display_name: string | null;
  /** May not come in, here or at the provider. */
  disabled: boolean;
  created_at: Date;
  /** Null when they have never signed in. */
  last_login: Date | null;
  last_refresh: Date | null;
  /** Quizzes open or ended; one that was cancelled does not count. */
  quizzes: number;
  /** When they last began or ended a quiz, a cancelled one too. */
  last_active_at: Date | null;
  service_expires_at: Date | null;
  is_active: boolean;
  days_remaining: number;
}

type UserRow = Pick<User, 'quizzes' | 'last_active_at'> &
  Pick<Account, 'uid' | 'service_expires_at' | 'is_active' | 'days_remaining'> & {
    email: string | null;
    display_name: string | null;
    state: 'active' | 'disabled' | 'deleted' | null;
    registered_at: Date | null;
  };

// Reads the accounts and the quizzes of these users alone, by index.
const USERS = `
  select wanted.uid, account.email, account.display_name, account.state, account.registered_at,
    ${SERVICE}, activity.quizzes, activity.last_active_at
  from unnest($1::text[]) with ordinality as wanted (uid, place)
  cross join settings
  left join account on account.uid = wanted.uid
  cross join lateral (
    select count(*) filter (where quiz.state <> 'cancelled')::int as quizzes,
      max(greatest(quiz.started_at, quiz.ended_at)) as last_active_at
    from quiz where quiz.account_id = account.id) as activity
  order by wanted.place`;

/**
 * Users in the order of `uids`, with their activity. One whom neither we nor the provider know is
 * left out.
 *
 * @param identities what the provider said of them
 */
export async function joinActivity(
  db: Database,
  uids: readonly string[],
  identities: readonly IdentityUser[],
): Promise<User[]> {
  const known = new Map(identities.map((identity) => [identity.uid, identity]));
  const { rows } = await db.query<UserRow>(USERS, [uids]);
  return rows
    .filter(({ uid, state }) => known.has(uid) || (state && state !== 'deleted'))
    .map((row) => toUser(row, known.get(row.uid)));
}

/** One user; null when neither we nor the provider know them. */
export async function readUser({ db, identity }: UserDeps, uid: string): Promise<User | null> {
  const known = await identity.findByUid(uid);
  const [user] = await joinActivity(db, [uid], known ? [known] : []);
  return user ?? null;
}

function toUser(row: UserRow, identity: IdentityUser | undefined): User {
  const { uid, state, quizzes, last_active_at, service_expires_at, is_active, days_remaining } =
    row;
  // A deletion that was interrupted has closed the account, and left the provider's user.
  const closedHere = state === 'disabled' || state === 'deleted';
  return {
    uid,
    email: identity?.email ?? row.email ?? '',
    display_name: identity?.displayName ?? row.display_name,
    disabled: closedHere || (identity?.disabled ?? false),
    created_at: identity?.createdAt ?? row.registered_at ?? new Date(0),
    last_login: identity?.lastSignInAt ?? null,
    last_refresh: identity?.lastRefreshAt ?? null,
    quizzes,
    last_active_at,
    service_expires_at,
    is_active,
    days_remaining,
  };
}
