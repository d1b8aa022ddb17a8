import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import { type Account, SERVICE } from './account.ts';

interface UserPage {
  users: User[];
  /** Null on the last page. */
  nextPageToken: string | null;
}

interface PageRequest {
  /** At most 1000, the maximum of the identity provider. */
  pageSize: number;
  pageToken?: string | undefined;
}

export interface UserDeps {
  db: Database;
  identity: IdentityProvider;
}

/**
 * A page of all users, by the pagination of the identity provider, which alone knows all users.
 *
 * @throws AppError `validation_failed` for an invalid page token, `identity_provider_failed`
 */
export async function listUsers(
  { db, identity }: UserDeps,
  { pageSize, pageToken }: PageRequest,
): Promise<UserPage> {
  const page = await identity.listUsers(pageSize, pageToken);
  const uids = page.users.map(({ uid }) => uid);
  return {
    users: await joinActivity(db, uids, page.users),
    nextPageToken: page.nextPageToken,
  };
}

/** Which accounts are listed, and in which order; by address by default. */
export interface UserFilter {
  /** Part of an address or a name. */
  part: string;
  status?: 'active' | 'disabled' | undefined;
  /** `ended`: had service once; `none`: never had any. */
  service?: 'active' | 'ended' | 'none' | undefined;
  sort?: keyof typeof SORTS | undefined;
}

/**
 * A page of the accounts that a filter matches, by keyset pagination. The
 * identity provider finds only whole addresses, so the search uses our accounts, and reads their identities
 * from the provider. A whole address is looked up at the provider too, for a user without an account.
 *
 * @throws AppError `validation_failed` for an invalid page token, `identity_provider_failed`
 */
export async function searchUsers(
  { db, identity }: UserDeps,
  filter: UserFilter,
  { pageSize, pageToken }: PageRequest,
): Promise<UserPage> {
  const search = filter.part.trim().toLowerCase();
  const isFiltered = filter.status !== undefined || filter.service !== undefined;
  const [matches, elsewhere] = await Promise.all([
    findAccounts(db, { ...filter, part: search }, pageSize + 1, pageToken),
    pageToken || isFiltered ? null : findAtProvider(db, identity, search),
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

interface Match {
  id: string;
  uid: string;
  /** What the page is sorted by, as text. */
  place: string;
}

/** Shorter parts have no trigram, and match only the beginning of an address or a name. */
const MIN_PART_LENGTH = 3;

/** SQL: what the accounts are sorted by, and its type. */
const SORTS = {
  email: { by: 'email', type: 'text', direction: 'asc' },
  registered: { by: 'registered_at', type: 'timestamptz', direction: 'desc' },
  expires: {
    by: "coalesce(service_expires_at, 'infinity')",
    type: 'timestamptz',
    direction: 'asc',
  },
} as const;

const STATUSES = { active: "state = 'active'", disabled: "state = 'disabled'" };
const SERVICES = {
  active: 'service_expires_at > statement_timestamp()',
  ended: 'service_expires_at <= statement_timestamp()',
  none: 'service_expires_at is null',
};

async function findAccounts(
  db: Database,
  { part, status, service, sort = 'email' }: UserFilter,
  limit: number,
  pageToken: string | undefined,
): Promise<Match[]> {
  const literal = part.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = part.length < MIN_PART_LENGTH ? `${literal}%` : `%${literal}%`;
  const { by, type, direction } = SORTS[sort];
  const values: unknown[] = [limit];
  const conditions = ["state <> 'deleted'"];
  if (part) {
    const term = `$${values.push(pattern)}`;
    conditions.push(`(email like ${term} or lower(display_name) like ${term})`);
  }
  if (status) conditions.push(STATUSES[status]);
  if (service) conditions.push(SERVICES[service]);
  if (pageToken !== undefined) {
    const { place, id } = fromToken(pageToken, type);
    const after = `($${values.push(place)}::${type}, $${values.push(id)}::uuid)`;
    conditions.push(`(${by}, id) ${direction === 'asc' ? '>' : '<'} ${after}`);
  }
  const { rows } = await db.query<Match>(
    `select id, uid, (${by})::text as place from account where ${conditions.join(' and ')}
     order by ${by} ${direction}, id ${direction} limit $1`,
    values,
  );
  return rows;
}

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?\+00$/;

/** Whether PostgreSQL takes it as a time: the 31st of February and the year 0 have the form, too. */
function isTime(text: string): boolean {
  const [, day, time] = TIME.exec(text) ?? [];
  if (!day || !time || day.startsWith('0000')) return text === 'infinity';
  const parsed = new Date(`${day}T${time}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${day}T${time}`);
}

function fromToken(token: string, type: 'text' | 'timestamptz'): Pick<Match, 'id' | 'place'> {
  const text = Buffer.from(token, 'base64url').toString();
  const [, id, place] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([^\0]*)$/.exec(text) ?? [];
  if (id === undefined || place === undefined || (type === 'timestamptz' && !isTime(place))) {
    throw new AppError('validation_failed', {
      message: 'page_token is invalid: use the next_page_token of the previous page',
      details: { field: 'page_token', part: 'querystring' },
    });
  }
  return { id, place };
}

const ADDRESS = /^[^@\s]+@[^@\s]+[.][^@\s]+$/;

/** The provider's user with an address under which we have no account. */
async function findAtProvider(db: Database, provider: IdentityProvider, address: string) {
  if (!ADDRESS.test(address)) return null;
  const user = await provider.findByEmail(address).catch((error: unknown) => {
    // The provider does not accept it as an address.
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

/** The page token for the accounts after this one. */
function toToken({ id, place }: Match): string {
  return Buffer.from(`${id} ${place}`).toString('base64url');
}

/** A user as administrators see them: the identity and the activity. */
export interface User {
  uid: string;
  /** Lower case; empty for a user of the provider without an address. */
  email: string;
  display_name: string | null;
  /** Whether the user is disabled, here or at the provider. */
  disabled: boolean;
  created_at: Date;
  /** Null when the user has never signed in. */
  last_login: Date | null;
  last_refresh: Date | null;
  /** Open and ended quizzes; cancelled ones do not count. */
  quizzes: number;
  /** When the user last started or ended a quiz, also a cancelled one. */
  last_active_at: Date | null;
  service_expires_at: Date | null;
  is_active: boolean;
  days_remaining: number;
}

/** Reads a user; null when neither an account nor an identity exists. */
export async function readUser({ db, identity }: UserDeps, uid: string): Promise<User | null> {
  const identityUser = await identity.findByUid(uid);
  const [user] = await joinActivity(db, [uid], identityUser ? [identityUser] : []);
  return user ?? null;
}

type UserRow = Pick<User, 'quizzes' | 'last_active_at'> &
  Pick<Account, 'uid' | 'service_expires_at' | 'is_active' | 'days_remaining'> & {
    email: string | null;
    display_name: string | null;
    state: 'active' | 'disabled' | 'deleted' | null;
    registered_at: Date | null;
  };

// Reads only the accounts and quizzes of these users, by index.
const USERS = `
  select listed.uid, account.email, account.display_name, account.state, account.registered_at,
    ${SERVICE}, activity.quizzes, activity.last_active_at
  from unnest($1::text[]) with ordinality as listed (uid, place)
  cross join settings
  left join account on account.uid = listed.uid
  cross join lateral (
    select count(*) filter (where quiz.state <> 'cancelled')::int as quizzes,
      max(greatest(quiz.started_at, quiz.ended_at)) as last_active_at
    from quiz where quiz.account_id = account.id) as activity
  order by listed.place`;

/**
 * Users in the order of `uids`, with their activity. A uid without account and identity is left out.
 *
 * @param identities the users' identities at the provider
 */
async function joinActivity(
  db: Database,
  uids: readonly string[],
  identities: readonly IdentityUser[],
): Promise<User[]> {
  const identityByUid = new Map(identities.map((identity) => [identity.uid, identity]));
  const { rows } = await db.query<UserRow>(USERS, [uids]);
  return rows
    .filter(({ uid, state }) => identityByUid.has(uid) || (state && state !== 'deleted'))
    .map((row) => toUser(row, identityByUid.get(row.uid)));
}

function toUser(row: UserRow, identity: IdentityUser | undefined): User {
  const { uid, state, quizzes, last_active_at, service_expires_at, is_active, days_remaining } =
    row;
  // An interrupted deletion has closed the account, but not deleted the provider's user.
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

interface UserCounts {
  total_users: number;
  /** Neither disabled nor deleted. */
  active_users: number;
}

/** Counts the accounts. 100,000 take 10 ms. */
export async function countUsers(db: Database): Promise<UserCounts> {
  const { rows } = await db.query<UserCounts>(
    `select count(*)::int as total_users,
       count(*) filter (where state = 'active')::int as active_users
     from account where state <> 'deleted'`,
  );
  return rows[0]!;
}

/**
 * Counts the accounts that have started a quiz. With 100,000 accounts and a million quizzes it takes 0.2 s,
 * so call it rarely.
 */
export async function countUsersWithActivity(db: Database): Promise<number> {
  const { rows } = await db.query<{ users: number }>(
    `select count(*)::int as users from account
     where state <> 'deleted' and exists (select from quiz where quiz.account_id = account.id)`,
  );
  return rows[0]!.users;
}
