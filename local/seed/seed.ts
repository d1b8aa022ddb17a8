import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import { applyRelease, withBankLock } from '@proveklar/services/bank-releases/apply-release.ts';
import { readRelease } from '@proveklar/services/bank-releases/read-release.ts';
import { createAccount, readAccount } from '@proveklar/services/accounts/account.ts';
import { addCredit } from '@proveklar/services/accounts/credit-ledger.ts';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database, withTransaction } from '@proveklar/services/database/pool.ts';
import {
  createIdentityProvider,
  type IdentityProvider,
} from '@proveklar/services/identity/identity-provider.ts';
import { importGlossary } from '@proveklar/services/glossary/glossary-file.ts';
import { offerLanguage } from '@proveklar/services/languages/languages.ts';
import { readSettings, updateSettings } from '@proveklar/services/settings/settings.ts';

// Seeds a local database; keeps existing data.

/** Who adds the demo's data, in histories and the audit log. */
const SEED = 'seed';

/** The seed creates demo accounts, so it runs against the emulator only. */
const SeedConfig = Type.Object({
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('test')]),
  DATABASE_URL: GatewayConfig.properties.DATABASE_URL,
  FIREBASE_PROJECT_ID: GatewayConfig.properties.FIREBASE_PROJECT_ID,
  FIREBASE_API_KEY: GatewayConfig.properties.FIREBASE_API_KEY,
  FIREBASE_AUTH_EMULATOR_HOST: Type.String({ minLength: 1 }),
  BANK_DIR: GatewayConfig.properties.BANK_DIR,
});

export const LEARNER = {
  uid: 'demo-learner',
  email: 'learner@example.no',
  displayName: 'Demo',
  password: 'proveklar-demo',
};
const PRICE_ORE = 149_00;
/** For the offer, and for the demo learner. */
const SERVICE_DAYS = 30;

/** A new database has a free service; the demo charges the price on the landing page. */
async function seedSettings(db: Database): Promise<void> {
  const { rows } = await db.query('select from account limit 1');
  const { price_ore } = await readSettings(db);
  // Once there are accounts, a price of 0 is intended.
  if (rows.length > 0 || price_ore > 0) return;
  await updateSettings(db, { price_ore: PRICE_ORE, service_days: SERVICE_DAYS });
}

/**
 * Offers learners each language of our bank once, so that one that an administrator withdrew is not offered again.
 */
export async function seedLanguages(db: Database, questions: QuestionRow[]): Promise<void> {
  for (const code of new Set(questions.map(({ language }) => language))) {
    const { rows } = await db.query(
      `select from audit_entry
       where action in ('language.offered', 'language.withdrawn') and subject = $1 limit 1`,
      [code],
    );
    if (rows.length === 0) await offerLanguage(db, SEED, { code, offered: true });
  }
}

/** Imports the demo's glossary once, so that a word that an administrator deleted does not come back. */
async function seedGlossary(db: Database): Promise<void> {
  const { rows } = await db.query(
    `select from audit_entry where action = 'glossary.imported' and actor = $1 limit 1`,
    [SEED],
  );
  if (rows.length > 0) return;
  const csv = await readFile(new URL('questions/glossary.csv', import.meta.url), 'utf8');
  const { rejected } = await importGlossary(db, SEED, csv);
  if (rejected.length > 0) {
    throw new Error(`The glossary has bad rows: ${JSON.stringify(rejected, null, 2)}`);
  }
}

/** Creates a learner with an active service, so that quizzes can be tried immediately. */
async function seedLearner(db: Database, identity: IdentityProvider): Promise<void> {
  await identity.createUser(LEARNER);
  await withTransaction(db, async (tx) => {
    const { id: accountId } = await createAccount(tx, LEARNER);
    const account = await readAccount(tx, accountId);
    if (account.days_remaining > 0) return;
    await addCredit(tx, { accountId, days: SERVICE_DAYS, paymentId: null });
  });
}

if (import.meta.main) {
  const config = parseConfig(SeedConfig);
  const db = createPool(config.DATABASE_URL, { applicationName: 'seed' });
  const identity = createIdentityProvider({
    projectId: config.FIREBASE_PROJECT_ID,
    apiKey: config.FIREBASE_API_KEY,
    emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
  });
  await seedSettings(db);
  const { questions } = await readRelease(config.BANK_DIR);
  // Before the import, which warns of languages that are not offered.
  await seedLanguages(db, questions);
  await withBankLock(db, () => applyRelease(db, questions), { wait: true });
  await seedGlossary(db);
  await seedLearner(db, identity);
  await db.end();
}
