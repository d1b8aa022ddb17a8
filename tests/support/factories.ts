import { randomUUID } from 'node:crypto';
import { createAccount } from '@proveklar/services/accounts/account.ts';
import { addCredit } from '@proveklar/services/accounts/credit-ledger.ts';
import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import { importQuestions, validateImport } from '@proveklar/services/imports/import-questions.ts';
import { updateSettings } from '@proveklar/services/settings/settings.ts';
import { uniqueEmail } from './identity.ts';

/** An account with so many days of service; none for 0. */
export async function createLearner(
  db: Database,
  { uid = randomUUID(), email = uniqueEmail(), days = 30 } = {},
): Promise<{ id: string; uid: string; email: string }> {
  return { id: await addDays(db, { uid, email }, days), uid, email };
}

/** An administrator who may act, because they have an account. */
export async function createAdministrator(db: Database): Promise<{ uid: string; email: string }> {
  const { uid, email } = await createLearner(db, { days: 0 });
  return { uid, email };
}

/** Gives a user an account with so many days of service. */
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

/** So many validated questions on a topic; the key of each begins with "right". */
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
  const { import_id, rejected } = await importQuestions(db, rows, 'test');
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  await validateImport(db, import_id);
}

/** What a payment costs (øre) and gives, from now on. */
export async function setPrice(db: Database, price_ore: number, service_days = 30): Promise<void> {
  await updateSettings(db, { price_ore, service_days });
}
