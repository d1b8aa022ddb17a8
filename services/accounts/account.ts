import type { Queryable, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { VerifiedIdentity } from '#identity/verified-identity.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';

export interface Account {
  id: string;
  uid: string;
  email: string;
  display_name: string | null;
  /** What we write to them in. */
  language: Language;
  registered_at: Date;
  service_expires_at: Date | null;
  /** May practise: the service has not expired, or is free at the moment. */
  is_active: boolean;
  /** Whole days, rounded up; 0 when expired. By the database's clock. */
  days_remaining: number;
}

/** What an account tells about its service. */
export type AccountSummary = Pick<
  Account,
  'registered_at' | 'service_expires_at' | 'is_active' | 'days_remaining'
>;

type AccountRow = Account & {
  state: 'active' | 'disabled' | 'deleted';
  /** When the token was issued that the address was last taken from; null when from none. */
  email_taken_at: Date | null;
};

/**
 * Columns of an account's service, from `account` and `settings`.
 *
 * The statement's own time: by the transaction's, a credit given in it would lie in the future and
 * its thirty days would be rounded up to thirty-one.
 */
export const SERVICE = `
  account.service_expires_at,
  (coalesce(account.service_expires_at > statement_timestamp(), false) or settings.price_ore = 0) as is_active,
  greatest(0, ceil(coalesce(extract(epoch from account.service_expires_at - statement_timestamp()), 0) / 86400))::int
    as days_remaining`;

const ACCOUNT = `
  account.id, account.uid, account.email, account.display_name, account.language, account.state,
  account.email_taken_at, account.registered_at, ${SERVICE}`;

/**
 * The account of somebody signed in. A first sign-in by somebody who never registered makes one,
 * without service. An address that they changed at the identity provider is taken over.
 *
 * @param language of an account that is made: the one of the screen
 * @throws AppError `account_disabled`, also for a deleted account whose token still lives
 */
export async function accountOf(
  db: Queryable,
  identity: VerifiedIdentity,
  language?: () => Language,
): Promise<Account> {
  const { rows } = await db.query<AccountRow>({
    name: 'account-of',
    text: `select ${ACCOUNT} from account cross join settings where account.uid = $1`,
    values: [identity.uid],
  });
  const row = rows[0] ?? (await createAccount(db, { ...identity, language: language?.() }));
  if (row.state !== 'active') throw new AppError('account_disabled');
  return hasNewAddress(row, identity) ? takeAddress(db, row, identity) : row;
}

/**
 * Whether a token has another address than the account, and may say so. Anybody can have a token for
 * an address that is not theirs, as long as nobody verified it; and a token from before a change
 * outlives it by up to an hour.
 */
function hasNewAddress(account: AccountRow, token: VerifiedIdentity): boolean {
  if (token.email === account.email || !token.emailVerified) return false;
  return token.tokenIssuedAt > (account.email_taken_at?.getTime() ?? 0);
}

async function takeAddress(
  db: Queryable,
  account: AccountRow,
  { email, tokenIssuedAt }: VerifiedIdentity,
): Promise<Account> {
  // The account's other tabs and devices show the address too.
  const { rowCount } = await db.query(
    `with moved as (
       update account set email = $2, email_taken_at = to_timestamp($3::float8 / 1000)
       where id = $1 and state = 'active'
         and (email_taken_at is null or email_taken_at < to_timestamp($3::float8 / 1000))
       returning id)
     insert into outbox (name, payload, trace)
     select 'account.changed', jsonb_build_object('account_id', id), $4::jsonb from moved`,
    [account.id, email, tokenIssuedAt, outboxTrace()],
  );
  return rowCount === 1 ? { ...account, email } : readAccount(db, account.id);
}

export interface NewAccount extends Pick<VerifiedIdentity, 'uid' | 'email' | 'displayName'> {
  language?: Language | undefined;
}

/** Makes the account of an identity, or returns the one that it has. */
export async function createAccount(
  db: Queryable,
  { uid, email, displayName, language = DEFAULT_LANGUAGE }: NewAccount,
): Promise<AccountRow> {
  const { rows } = await db.query<AccountRow>(
    `with account as (
       insert into account (uid, email, display_name, language) values ($1, $2, $3, $4)
       -- Nothing changes; but only an updated row is returned.
       on conflict (uid) do update set uid = excluded.uid
       returning *, xmax = 0 as is_new
     ), told as (
       insert into outbox (name, payload, trace)
       select 'account.registered', jsonb_build_object('account_id', id), $5::jsonb
       from account where is_new)
     select ${ACCOUNT} from account cross join settings`,
    [uid, email.toLowerCase(), displayName, language, outboxTrace()],
  );
  return rows[0]!;
}

/** Locks an account until the transaction ends, and says what state it is in. */
export async function lockAccount(
  tx: Transaction,
  accountId: string,
): Promise<AccountRow['state']> {
  const { rows } = await tx.query<Pick<AccountRow, 'state'>>(
    'select state from account where id = $1 for update',
    [accountId],
  );
  if (!rows[0]) throw new AppError('not_found');
  return rows[0].state;
}

/** An account by its id, whatever its state, as it stands in this transaction. */
export async function readAccount(db: Queryable, accountId: string): Promise<AccountRow> {
  const { rows } = await db.query<AccountRow>(
    `select ${ACCOUNT} from account cross join settings where account.id = $1`,
    [accountId],
  );
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

/** The account of an address, whatever its state; the newest, should it have had several users. */
export async function findAccountByEmail(
  db: Queryable,
  email: string,
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(
    `select ${ACCOUNT} from account cross join settings where account.email = $1
     order by account.registered_at desc limit 1`,
    [email.toLowerCase()],
  );
  return rows[0];
}
