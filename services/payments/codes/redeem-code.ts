import { DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import { type Account, createAccount, lockAccountById, readAccount } from '#accounts/account.ts';
import { addCredit, readWaitingDays } from '#accounts/credit-ledger.ts';
import { countRedeeming } from '#accounts/limited-calls.ts';
import { requestPasswordLink } from '#accounts/password-links.ts';
import { endSessionsBefore } from '#accounts/sessions.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { Limits } from '#limits/limits.ts';
import {
  ensureOwner,
  type Owner,
  setPasswordAfterSettlement,
} from '#payments/books/registration-owner.ts';
import {
  countFreeRegistration,
  type FreeRegistration,
  type RegistrationResult,
} from '#payments/free-registration.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { hashOfCode, RESERVED_MS } from './code.ts';

/** A code, whose packet is locked until the transaction ends. */
interface LockedCode {
  id: string;
  days: number;
  withdrawn: boolean;
  expired: boolean;
  /** Null for an unused code. */
  redeemed_at: Date | null;
  /** The account that redeemed it. */
  account_id: string | null;
  registration_id: string | null;
  reserved_for: string | null;
  reserved_at: Date | null;
  address_reclaimed: boolean;
}

/**
 * Finds a code and locks its packet, which serializes redeeming with other calls and with refunds.
 *
 * @throws AppError `code_unknown`, also for a packet that is not paid
 */
async function lockCode(tx: Transaction, typed: string): Promise<LockedCode> {
  const hash = hashOfCode(typed);
  if (!hash) throw new AppError('code_unknown');
  await tx.query(
    `select from code_packet
     where payment_id = (select payment_id from access_code where hash = $1) for update`,
    [hash],
  );
  const { rows } = await tx.query<LockedCode>(
    `select access_code.id, payment.service_days as days, withdrawn_at is not null as withdrawn,
       expires_at <= clock_timestamp() as expired, redeemed_at, credit.account_id,
       registration_id, reserved_for, reserved_at, access_code.address_reclaimed
     from access_code
       join code_packet using (payment_id)
       join payment on payment.id = payment_id
       left join credit on credit.code_id = access_code.id
     where hash = $1`,
    [hash],
  );
  if (!rows[0]) throw new AppError('code_unknown');
  return rows[0];
}

/** @throws AppError `code_used`, `code_withdrawn`, `code_expired` */
function requireUsable({ redeemed_at, withdrawn, expired }: LockedCode): void {
  if (redeemed_at) throw new AppError('code_used');
  if (withdrawn) throw new AppError('code_withdrawn');
  if (expired) throw new AppError('code_expired');
}

/** Gives an account the days of a locked code. The database refuses a second credit for one code. */
async function credit(
  tx: Transaction,
  accountId: string,
  { id: codeId, days }: LockedCode,
): Promise<void> {
  await tx.query(
    `update access_code set redeemed_at = clock_timestamp(), reserved_for = null where id = $1`,
    [codeId],
  );
  await addCredit(tx, { accountId, paymentId: null, codeId, days });
  await emit(tx, 'account.changed', { account_id: accountId });
  await emit(tx, 'code.redeemed', { account_id: accountId, code_id: codeId });
}

/**
 * Redeems a code for a signed-in learner. A repeated call by the same learner changes nothing.
 *
 * @throws AppError `code_unknown`, `code_used`, `code_withdrawn`, `code_expired`, `account_disabled`, `rate_limited` with
 *   `retry_after_s`
 */
export async function redeemCode(
  { db, limits }: { db: Database; limits: Limits },
  accountId: string,
  code: string,
): Promise<Account> {
  await countRedeeming({ db, limits }, accountId);
  await withTransaction(db, async (tx) => {
    if ((await lockAccountById(tx, accountId)) !== 'active') throw new AppError('account_disabled');
    const locked = await lockCode(tx, code);
    if (locked.account_id === accountId) return;
    requireUsable(locked);
    await credit(tx, accountId, locked);
  });
  return readAccount(db, accountId);
}

type RegistrationDeps = Pick<PaymentDeps, 'db' | 'identity' | 'limits'>;

/**
 * For so long a repeated registration gets the answer of the first. Later it learns only that the code is used, so that the
 * buyer of a code cannot find out whose account has it.
 */
const REPEATED_MS = 60 * 60 * 1000;

/**
 * Creates the account of a registration with a code, or extends the account that has the address, as a payment does.
 * Idempotent for the same code and address.
 *
 * The code is reserved for the address before the identity is created, because that cannot be undone when another
 * registration redeems the code first. The caller has checked the password.
 *
 * @throws AppError `code_unknown`, `code_used` (also while another registration uses it), `code_withdrawn`, `code_expired`,
 *   `rate_limited` with `retry_after_s`, `account_disabled`, `password_refused`, `email_refused`,
 *   `identity_provider_failed`
 */
export async function registerWithCode(
  deps: RegistrationDeps,
  code: string,
  registration: FreeRegistration,
): Promise<RegistrationResult> {
  const email = registration.email.toLowerCase();
  const { password } = registration;
  // A class registers from one network. A code that works is limit enough: it creates one user.
  const clientAddress = (await works(deps.db, code)) ? undefined : registration.clientAddress;
  await countFreeRegistration(deps, { email, clientAddress });
  const reserved = await withTransaction(deps.db, (tx) => reserve(tx, code, email));
  if (reserved.accountId) return repeated(deps, reserved, reserved.accountId, password);
  const { language = DEFAULT_LANGUAGE, username } = registration;
  const applicant = {
    source: 'access_code' as const,
    id: reserved.registrationId,
    email,
    language,
    username: username.trim(),
    address_reclaimed: reserved.reclaimed,
  };
  const owner = await ensureOwner(deps, applicant, password).catch(async (error: unknown) => {
    await releaseRefused(deps.db, reserved.registrationId, error);
    throw error;
  });
  const accountId = await withTransaction(deps.db, (tx) =>
    redeemFor(tx, code, reserved.registrationId, owner),
  );
  return answer(deps.db, accountId, await wasReclaimed(deps.db, reserved.registrationId), owner);
}

/** Whether a code can be redeemed, as far as it is known before its lock. */
async function works(db: Database, code: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from access_code join code_packet using (payment_id)
     where hash = $1 and redeemed_at is null and withdrawn_at is null
       and expires_at > clock_timestamp()`,
    [hashOfCode(code)],
  );
  return rowCount === 1;
}

interface Reservation {
  registrationId: string;
  reclaimed: boolean;
  /** The same registration has redeemed the code already. */
  accountId: string | null;
}

async function reserve(tx: Transaction, code: string, email: string): Promise<Reservation> {
  const locked = await lockCode(tx, code);
  const { registration_id, redeemed_at, account_id: accountId, reserved_for } = locked;
  const isRecent = redeemed_at && Date.now() - redeemed_at.getTime() < REPEATED_MS;
  if (isRecent && registration_id && accountId) {
    const account = await readAccount(tx, accountId);
    const reclaimed = locked.address_reclaimed;
    if (account.email === email) return { registrationId: registration_id, reclaimed, accountId };
  }
  requireUsable(locked);
  const age = Date.now() - (locked.reserved_at?.getTime() ?? 0);
  if (reserved_for && reserved_for !== email && age < RESERVED_MS) throw new AppError('code_used');
  const { rows } = await tx.query<{ id: string; reclaimed: boolean }>(
    `update access_code set
       registration_id = case when reserved_for = $2 then registration_id else gen_random_uuid() end,
       address_reclaimed = reserved_for is not distinct from $2 and address_reclaimed,
       reserved_for = $2, reserved_at = clock_timestamp()
     where id = $1 returning registration_id as id, address_reclaimed as reclaimed`,
    [locked.id, email],
  );
  return { registrationId: rows[0]!.id, reclaimed: rows[0]!.reclaimed, accountId: null };
}

/** No identity was created for these: the learner corrects the address, and the code must not seem to be used. */
const REFUSALS = new Set(['email_refused', 'password_refused']);

async function releaseRefused(db: Database, registrationId: string, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || !REFUSALS.has(error.code)) return;
  await db.query(
    `update access_code set reserved_for = null where registration_id = $1 and redeemed_at is null`,
    [registrationId],
  );
}

/** Redeems a reserved code for the owner of its registration. Returns the account's id. */
async function redeemFor(
  tx: Transaction,
  code: string,
  registrationId: string,
  owner: Owner,
): Promise<string> {
  const { id: accountId } = await createAccount(tx, owner);
  // Locks the account before the packet, as everywhere, to avoid deadlocks.
  if ((await lockAccountById(tx, accountId)) !== 'active') throw new AppError('account_disabled');
  const locked = await lockCode(tx, code);
  const isOwn = locked.registration_id === registrationId;
  // A second tab of the same registration.
  if (isOwn && locked.account_id === accountId) return accountId;
  requireUsable(locked);
  if (!isOwn) throw new AppError('code_used');
  await credit(tx, accountId, locked);
  if (owner.tokensValidAfter) await endSessionsBefore(tx, accountId, owner.tokensValidAfter);
  if (locked.address_reclaimed) {
    const { email, language } = owner;
    await requestPasswordLink(tx, { email, reason: 'registration', language });
  }
  return accountId;
}

async function wasReclaimed(db: Database, registrationId: string): Promise<boolean> {
  const { rows } = await db.query<{ reclaimed: boolean }>(
    'select address_reclaimed as reclaimed from access_code where registration_id = $1',
    [registrationId],
  );
  return rows[0]?.reclaimed ?? false;
}

async function repeated(
  deps: RegistrationDeps,
  { registrationId, reclaimed }: Reservation,
  accountId: string,
  password: string,
): Promise<RegistrationResult> {
  const settled = { id: registrationId, account_id: accountId, address_reclaimed: reclaimed };
  await setPasswordAfterSettlement(deps, settled, password);
  const { uid } = await readAccount(deps.db, accountId);
  return answer(deps.db, accountId, reclaimed, { existed: reclaimed || uid !== registrationId });
}

async function answer(
  db: Database,
  accountId: string,
  passwordMailed: boolean,
  { existed: accountExisted }: Pick<Owner, 'existed'>,
): Promise<RegistrationResult> {
  const account = await readAccount(db, accountId);
  const waitingDays = await readWaitingDays(db, accountId);
  return { status: 'settled', account, waitingDays, accountExisted, passwordMailed };
}
