import type { Queryable, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { VerifiedIdentity } from '#identity/verified-identity.ts';
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

type AccountRow = Account & { state: 'active' | 'disabled' | 'deleted' };

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
  account.registered_at, ${SERVICE}`;

/**
 * The account of somebody signed in. A first sign-in by somebody who never registered makes one,
 * without service.
 *
 * @throws AppError `account_disabled`, also for a deleted account whose token still lives
 */
export async function accountOf(db: Queryable, identity: VerifiedIdentity): Promise<Account> {
  const { rows } = await db.query<AccountRow>({
    name: 'account-of',
    text: `select ${ACCOUNT} from account cross join settings where account.uid = $1`,
    values: [identity.uid],
  });
  const row = rows[0] ?? (await createAccount(db, identity));
  if (row.state !== 'active') throw new AppError('account_disabled');
  return row;
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
       returning *)
     select ${ACCOUNT} from account cross join settings`,
    [uid, email.toLowerCase(), displayName, language],
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
