import { randomBytes } from 'node:crypto';
import type { NewsConsentRequest } from '@proveklar/contract/messages.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { isAddressRefused } from '#mail/send-once.ts';
import { readStop, signStop, STOP_KEY_BYTES } from '#mail/stop-token.ts';

/** A learner's consent to news by mail. */
export interface NewsConsent {
  agreedAt: Date;
  /** Signs the link that withdraws it. */
  key: Buffer;
}

/** SQL over `account`: whether the learner agrees to news. */
export const AGREES_TO_NEWS = `exists (
  select from news_consent where account_id = account.id and withdrawn_at is null)`;

/** Reads a consent; null when there is none, or it was withdrawn. */
export async function readNewsConsent(
  db: Queryable,
  accountId: string,
): Promise<NewsConsent | null> {
  const { rows } = await db.query<NewsConsent>(
    `select agreed_at as "agreedAt", key from news_consent
     where account_id = $1 and withdrawn_at is null`,
    [accountId],
  );
  return rows[0] ?? null;
}

/**
 * Records a consent to news with the version of its text, or its withdrawal. A repeated consent keeps its time.
 *
 * @throws AppError `consent_required` without the version; `email_refused` for an address that refuses our
 *   mails; `account_disabled`
 */
export async function changeNewsConsent(
  db: Database,
  accountId: string,
  { news, consent }: NewsConsentRequest,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    if (!news) {
      await withdraw(tx, accountId);
      return;
    }
    if (!consent) {
      throw new AppError('consent_required', {
        message: 'Send the version of the text that was agreed to',
        details: { field: 'consent' },
      });
    }
    if (await isAddressRefused(tx, accountId)) {
      throw new AppError('email_refused', {
        message: 'Mails to your address are refused. Change the address, and try again.',
        details: { field: 'news' },
      });
    }
    await tx.query(
      `insert into news_consent (account_id, version, agreed_at, key) values ($1, $2, now(), $3)
       on conflict (account_id) do update
         set version = excluded.version, agreed_at = excluded.agreed_at, withdrawn_at = null
         where news_consent.withdrawn_at is not null`,
      [accountId, consent, randomBytes(STOP_KEY_BYTES)],
    );
  });
}

async function withdraw(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    'update news_consent set withdrawn_at = now() where account_id = $1 and withdrawn_at is null',
    [accountId],
  );
}

/** The token of a link that withdraws an account's consent. */
export const stopNewsToken = (accountId: string, key: Buffer): string =>
  signStop('news', accountId, key);

/**
 * Withdraws the consent of the account that a mail's link names. Idempotent.
 *
 * @throws AppError `not_found` for a token that is not valid, or whose account was deleted
 */
export async function stopNews(db: Database, token: string): Promise<void> {
  const keyOf = async (id: string) => {
    const { rows } = await db.query<Pick<NewsConsent, 'key'>>(
      'select key from news_consent where account_id = $1',
      [id],
    );
    return rows[0]?.key ?? null;
  };
  const hint = 'This link is not valid. Sign in, and turn the news off under Account.';
  await withdraw(db, await readStop('news', token, keyOf, hint));
}

/** How long a withdrawn consent can be proved. The privacy page (`/personvern`) states it. */
const RETENTION = '2 years';

/** Deletes consents that were withdrawn long ago, and those of accounts that an older version deleted. */
export async function forgetWithdrawnNews(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from news_consent
     where withdrawn_at < now() - $1::interval
       or account_id = any (array(select id from account where state = 'deleted'))`,
    [RETENTION],
  );
}

/** A learner's consent for the export; null when there never was one, or it is forgotten. */
export async function exportNewsConsent(db: Queryable, accountId: string) {
  const { rows } = await db.query<{ version: string; agreed_at: Date; withdrawn_at: Date | null }>(
    'select version, agreed_at, withdrawn_at from news_consent where account_id = $1',
    [accountId],
  );
  const [consent] = rows;
  if (!consent) return null;
  return {
    version: consent.version,
    agreed_at: consent.agreed_at.toISOString(),
    withdrawn_at: consent.withdrawn_at?.toISOString() ?? null,
  };
}

/** Deletes the consent of an account. */
export async function eraseNewsConsent(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('delete from news_consent where account_id = $1', [accountId]);
}
