import { createAccount, readAccount } from '@proveklar/services/accounts/account.ts';
import { addCredit } from '@proveklar/services/accounts/credit-ledger.ts';
import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import type { IdentityProvider } from '@proveklar/services/identity/identity-provider.ts';

export const LEARNER = {
  uid: 'demo-learner',
  email: 'learner@example.no',
  displayName: 'Demo',
  password: 'proveklar-demo',
};
const SERVICE_DAYS = 30;

/** A learner with an active service, so that the quizzes can be tried at once. */
export async function seedLearner(db: Database, identity: IdentityProvider): Promise<void> {
  await identity.createUser(LEARNER);
  await withTransaction(db, async (tx) => {
    const { id: accountId } = await createAccount(tx, LEARNER);
    const account = await readAccount(tx, accountId);
    if (account.days_remaining > 0) return;
    await addCredit(tx, { accountId, days: SERVICE_DAYS, paymentId: null });
  });
}
