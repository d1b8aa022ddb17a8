import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { displaceAccount } from './account-deletion.ts';
import { holdsCredit } from './credit-ledger.ts';
import { recordSeen, SEEN_TODAY } from './inactivity.ts';
import { refuseEndedSession } from './sessions.ts';

export interface Account {
  id: string;
  uid: string;
  email: string;
  display_name: string | null;
  /** The language of mails to the user. */
  language: AppLanguage;
  registered_at: Date;
  service_expires_at: Date | null;
  /** Whether the user may practise: the service has not expired, or is free at the moment. */
  is_active: boolean;
  /** Whole days by the database's clock, rounded up; 0 when expired. */
  days_remaining: number;
}

/** The part of an account about its service. */
export type AccountSummary = Pick<
  Account,
  'registered_at' | 'service_expires_at' | 'is_active' | 'days_remaining'
>;

type AccountRow = Account & {
  state: 'active' | 'disabled' | 'deleted';
  /** When the token that last updated the address was issued; null if it was never updated. */
  email_taken_at: Date | null;
  /** Tokens from sign-ins before this time are refused; null when sessions were never revoked. */
  tokens_valid_after: Date | null;
  /** Whether a sign-in has proved that the address is the learner's; null when not known yet. */
  email_verified: boolean | null;
  /** Whether a call of today is recorded. */
  seen_today: boolean;
};

/**
 * SQL columns of an account's service, from `account` and `settings`.
 *
 * They use the time of the statement. By the time of the transaction, a credit that was added in it would
 * lie in the future, and its thirty days would be rounded up to thirty-one.
 */
export const SERVICE = `
  account.service_expires_at,
  (coalesce(account.service_expires_at > statement_timestamp(), false) or settings.price_ore = 0) as is_active,
  greatest(0, ceil(coalesce(extract(epoch from account.service_expires_at - statement_timestamp()), 0) / 86400))::int
    as days_remaining`;

const ACCOUNT = `
  account.id, account.uid, account.email, account.display_name, account.language, account.state,
  account.email_taken_at, account.tokens_valid_after, account.email_verified,
  account.registered_at, ${SEEN_TODAY} as seen_today, ${SERVICE}`;

/**
 * The account of a signed-in user. A first sign-in without registration creates an account without
 * service. A new address at the identity provider is copied to the account.
 *
 * @param language the language of a new account, which is that of the page
 * @throws AppError `account_disabled`, also for a deleted account whose token is still valid;
 *   `token_invalid` for a token from before the account's sessions were revoked
 */
export async function accountOf(
  db: Database,
  identity: VerifiedIdentity,
  language?: () => AppLanguage,
): Promise<Account> {
  const { rows } = await db.query<AccountRow>({
    name: 'account-of',
    text: `select ${ACCOUNT} from account cross join settings where account.uid = $1`,
    values: [identity.uid],
  });
  const row = rows[0] ?? (await createAccount(db, { ...identity, language: language?.() }));
  if (row.state !== 'active') throw new AppError('account_disabled');
  refuseEndedSession(row, identity);
  if (!row.seen_today) await recordSeen(db, row.id);
  if (row.email_verified !== true && row.email_verified !== identity.emailVerified) {
    await recordVerification(db, identity, language?.());
    return accountOf(db, identity, language);
  }
  return hasNewAddress(row, identity) ? updateAddress(db, row, identity) : row;
}

/**
 * Records whether a token proves its address. The first sign-in that proves the address of an account
 * created without proof revokes all older sessions, because a stranger may have signed up under that
 * address. If it is a Google sign-in and the old account has no credit, it gets a new, empty account: the
 * owner of the address can sign in by Google without having registered, and the old data is the stranger's.
 */
async function recordVerification(
  db: Database,
  identity: VerifiedIdentity,
  language: AppLanguage | undefined,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<Pick<AccountRow, 'id' | 'email_verified'>>(
      `select id, email_verified from account
       where uid = $1 and state = 'active' and email_verified is distinct from true for update`,
      [identity.uid],
    );
    const [account] = rows;
    if (!account) return;
    const proves = account.email_verified === false && identity.emailVerified;
    const isGoogle = identity.signInProvider === 'google.com';
    if (proves && isGoogle && !(await holdsCredit(tx, account.id))) {
      await displaceAccount(tx, account.id, { freeUid: true });
      const tokensValidAfter = new Date(identity.signedInAt);
      await createAccount(tx, { ...identity, language, tokensValidAfter });
      return;
    }
    await tx.query(
      `update account set email_verified = $2,
         tokens_valid_after = greatest(tokens_valid_after, $3::timestamptz) where id = $1`,
      [account.id, identity.emailVerified, proves ? new Date(identity.signedInAt) : null],
    );
    if (proves) await emit(tx, 'account.changed', { account_id: account.id });
  });
}

/**
 * Whether a token brings a new address for the account. An unverified address does not count, because
 * tokens exist for addresses of other people. Nor does a token from before the last change of the address:
 * it stays valid for up to an hour.
 */
function hasNewAddress(account: AccountRow, token: VerifiedIdentity): boolean {
  if (token.email === account.email || !token.emailVerified) return false;
  return token.tokenIssuedAt > (account.email_taken_at?.getTime() ?? 0);
}

/** Updates the address of an account, and revokes the sessions from before this sign-in. */
async function updateAddress(
  db: Queryable,
  account: AccountRow,
  { email, tokenIssuedAt, signedInAt }: VerifiedIdentity,
): Promise<Account> {
  // The event updates the address in the account's other tabs and devices.
  const { rowCount } = await db.query(
    `with updated as (
       update account set email = $2, email_taken_at = to_timestamp($3::float8 / 1000),
         tokens_valid_after = greatest(tokens_valid_after, to_timestamp($5::float8 / 1000))
       where id = $1 and state = 'active'
         and (email_taken_at is null or email_taken_at < to_timestamp($3::float8 / 1000))
       returning id)
     insert into outbox (name, payload, trace)
     select 'account.changed', jsonb_build_object('account_id', id), $4::jsonb from updated`,
    [account.id, email, tokenIssuedAt, outboxTrace(), signedInAt],
  );
  return rowCount === 1 ? { ...account, email } : readAccount(db, account.id);
}

interface NewAccount extends Pick<VerifiedIdentity, 'uid' | 'email' | 'displayName'> {
  language?: AppLanguage | undefined;
  /** Whether the user has proved the address; undefined when not known. */
  emailVerified?: boolean | undefined;
  /** Tokens from sign-ins before this time are refused. */
  tokensValidAfter?: Date | null | undefined;
}

/** Creates the account of an identity, or returns the existing one. */
export async function createAccount(db: Queryable, account: NewAccount): Promise<AccountRow> {
  const { uid, email, displayName, language = DEFAULT_LANGUAGE } = account;
  const { emailVerified = null, tokensValidAfter = null } = account;
  const { rows } = await db.query<AccountRow>(
    `with account as (
       insert into account
         (uid, email, display_name, language, email_verified, tokens_valid_after)
       values ($1, $2, $3, $4, $6, $7)
       -- Changes nothing, but makes the statement return the existing row.
       on conflict (uid) do update set uid = excluded.uid
       returning *, xmax = 0 as is_new
     ), event as (
       insert into outbox (name, payload, trace)
       select 'account.registered', jsonb_build_object('account_id', id), $5::jsonb
       from account where is_new)
     select ${ACCOUNT} from account cross join settings`,
    [
      uid,
      email.toLowerCase(),
      displayName,
      language,
      outboxTrace(),
      emailVerified,
      tokensValidAfter,
    ],
  );
  return rows[0]!;
}

/** Locks an account until the transaction ends, and returns its state. */
export async function lockAccountById(
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

/** Reads an account by its id, whatever its state. */
export async function readAccount(db: Queryable, accountId: string): Promise<AccountRow> {
  const { rows } = await db.query<AccountRow>(
    `select ${ACCOUNT} from account cross join settings where account.id = $1`,
    [accountId],
  );
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

/** The newest account with an address, whatever its state: several users may have had the address. */
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

/** The number of accounts created within the last day. */
export async function countRegistered(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from account where id > (select uuidv7(interval '-1 day'))`,
  );
  return rows[0]!.n;
}

/** The language of mails to a user: that of the account, or `otherwise` without an account. */
export async function languageOfUser(
  db: Queryable,
  uid: string,
  otherwise: AppLanguage = DEFAULT_LANGUAGE,
): Promise<AppLanguage> {
  const { rows } = await db.query<{ language: AppLanguage }>(
    `select language from account where uid = $1 and state <> 'deleted'`,
    [uid],
  );
  return rows[0]?.language ?? otherwise;
}
