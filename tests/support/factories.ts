import { randomUUID } from 'node:crypto';
import { importRows } from '@proveklar/services/imports/import-rows.ts';
import { createAccount } from '@proveklar/services/accounts/account.ts';
import { addCredit } from '@proveklar/services/accounts/credit-ledger.ts';
import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import { updateSettings } from '@proveklar/services/settings/settings.ts';
import { uniqueEmail } from './identity.ts';

/** Creates an account with `days` of service; none for 0. */
export async function createLearner(
  db: Database,
  { uid = randomUUID(), email = uniqueEmail(), days = 30 } = {},
): Promise<{ id: string; uid: string; email: string }> {
  return { id: await addDays(db, { uid, email }, days), uid, email };
}

/** Creates an administrator with an account, without which they may not act. */
export async function createAdministrator(db: Database): Promise<{ uid: string; email: string }> {
  const { uid, email } = await createLearner(db, { days: 0 });
  return { uid, email };
}

/** Gives a user an account with `days` of service. */
export async function addDays(
  db: Database,
  { uid, email }: { uid: string; email: string },
  days: number,
): Promise<string> {
  return withTransaction(db, async (tx) => {
    const { id: accountId } = await createAccount(tx, { uid, email, displayName: null });
    if (days > 0) await addCredit(tx, { accountId, days, paymentId: null });
    return accountId;
  });
}

/** Creates `count` validated questions on a topic; the key of each begins with "right". */
export async function createQuestions(
  db: Database,
  { topic = 'Historie', language = 'no', count = 12 } = {},
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    language,
    topic,
    question: `${topic.slice(0, 200)} ${language} ${index}?`,
    answer: `right ${index}`,
    incorrect: [`wrong a ${index}`, `wrong b ${index}`, `wrong c ${index}`],
    explanation: `Because ${index}.`,
  }));
  await addQuestions(db, rows, 'test');
}

/** Imports rows, all of which must be valid, and validates the questions; returns the import's id. */
export async function addQuestions(
  db: Database,
  rows: Iterable<unknown>,
  importedBy: string,
): Promise<string> {
  const { import_id, rejected } = await importRows(db, rows, importedBy);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  // Not by the service: that would record a change, which would be among those that a test lists.
  await db.query('update question set validated = true where import_id = $1', [import_id]);
  return import_id;
}

/** Sets what access costs (øre) and how many days a payment gives. */
export async function setPrice(db: Database, price_ore: number, service_days = 30): Promise<void> {
  await updateSettings(db, { price_ore, service_days });
}
