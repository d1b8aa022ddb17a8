import type { Account } from '#accounts/account.ts';
import { readAccess } from '#accounts/credit-ledger.ts';
import { exportLimitedCalls } from '#accounts/limited-calls.ts';
import { exportPasswordRequests } from '#accounts/password-links.ts';
import { exportEntries } from '#audit/list-entries.ts';
import type { Queryable } from '#database/pool.ts';
import { exportReports } from '#feedback/list-reports.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { exportLearning } from '#learning/personal-data.ts';
import { exportMails } from '#mail/send-once.ts';
import { exportNewsConsent } from '#messages/news-consent.ts';
import { exportMessages } from '#messages/send-message.ts';
import { exportWithdrawal } from '#payments/books/withdrawal.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import {
  exportFreeRegistrations,
  exportPayments,
  exportPaymentsUnder,
  exportRegistrationsWithCode,
  exportSearches,
} from '#payments/personal-data.ts';
import { exportCorrections } from '#quiz/personal-data.ts';

/** The person who requests the export, by their token. */
interface ExportedPerson {
  account: Account;
  /** The address in the token, in lower case. */
  tokenEmail: string;
  emailVerified: boolean;
}

/**
 * All personal data of an account, except the quizzes, which may be many (services/quiz/personal-data.ts).
 * Times are ISO 8601, amounts kroner with two decimals.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function exportAccount(
  deps: Pick<PaymentDeps, 'db' | 'identity' | 'withdrawalKey'>,
  person: ExportedPerson,
) {
  const { db, identity } = deps;
  const { account } = person;
  // One query after another, so that a download does not take a connection for each part.
  return {
    exported_at: new Date().toISOString(),
    account: await toAccount(db, account),
    sign_in: toSignIn(await identity.findByUid(account.uid)),
    access: await readAccess(db, account.id),
    payments: await exportPayments(db, account.id),
    reports: await exportReports(db, account.id),
    mails: await exportMails(db, account.id),
    messages: await exportMessages(db, account.id),
    news_consent: await exportNewsConsent(db, account.id),
    corrected_results: await exportCorrections(db, account.id),
    learning: await exportLearning(db, account),
    limited_calls: await exportLimitedCalls(db, account.id),
    under_the_address: await exportAddress(deps, person),
  };
}

async function toAccount(db: Queryable, account: Account) {
  const { rows } = await db.query<{
    ending_mailed_for: Date | null;
    email_taken_at: Date | null;
    email_verified: boolean | null;
    tokens_valid_after: Date | null;
    last_seen_on: string | null;
    inactive_warned_at: Date | null;
  }>(
    `select ending_mailed_for, email_taken_at, email_verified, tokens_valid_after,
       last_seen_on::text as last_seen_on, inactive_warned_at
     from account where id = $1`,
    [account.id],
  );
  return {
    id: account.id,
    user_id: account.uid,
    email: account.email,
    email_changed_at: rows[0]?.email_taken_at?.toISOString() ?? null,
    email_verified: rows[0]?.email_verified ?? null,
    tokens_valid_after: rows[0]?.tokens_valid_after?.toISOString() ?? null,
    display_name: account.display_name,
    language: account.language,
    registered_at: account.registered_at.toISOString(),
    access_until: account.service_expires_at?.toISOString() ?? null,
    told_of_end_at: rows[0]?.ending_mailed_for?.toISOString() ?? null,
    last_seen_on: rows[0]?.last_seen_on ?? null,
    warned_of_deletion_at: rows[0]?.inactive_warned_at?.toISOString() ?? null,
  };
}

function toSignIn(user: IdentityUser | null) {
  return (
    user && {
      email: user.email,
      display_name: user.displayName,
      has_password: user.hasPassword,
      created_at: user.createdAt?.toISOString() ?? null,
      last_signed_in_at: user.lastSignInAt?.toISOString() ?? null,
      last_refreshed_at: user.lastRefreshAt?.toISOString() ?? null,
    }
  );
}

/**
 * Data about an address that belongs to no account. Tokens exist for addresses of other people, so it is
 * exported only if the address is verified.
 */
async function exportAddress(
  deps: Pick<PaymentDeps, 'db' | 'withdrawalKey'>,
  { tokenEmail: email, emailVerified }: ExportedPerson,
) {
  if (!emailVerified) return null;
  const { db } = deps;
  return {
    email,
    unfinished_registrations: await exportPaymentsUnder(db, email),
    registrations_with_code: await exportRegistrationsWithCode(db, email),
    free_registrations: await exportFreeRegistrations(db, email),
    payment_searches: await exportSearches(db, email),
    password_requests: await exportPasswordRequests(db, email),
    administration: await exportEntries(db, email),
    withdrawal_remembered: await exportWithdrawal(deps, email),
  };
}
