import {
  countAttention,
  findUnknownIntents,
} from '@proveklar/services/payments/reconciliation/check-books.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import type { Check } from './installation.ts';
import { readBooks } from './read-books.ts';

/** How far back comparisons are believed to still need somebody. */
const DAYS = 30;

/** What a person must look at. */
export const payments: Check = {
  name: 'Payments',
  run: (installation) =>
    readBooks(installation, async (db) => {
      const [attention, unknown] = await Promise.all([
        countAttention(db),
        findUnknownIntents(db, DAYS),
      ]);
      return [judgeAttention(attention), judgeUnknown(unknown)];
    }),
};

function judgeAttention(attention: Awaited<ReturnType<typeof countAttention>>): Finding {
  const reasons = Object.entries(attention);
  if (reasons.length === 0) return ok('no payment needs a person');
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  const list = reasons.map(([reason, count]) => `${reason} ${count}`).join(', ');
  // The service works: it is a person's work that waits, and an open dispute waits for the bank too.
  return warning(
    `${sum} ${sum === 1 ? 'payment needs' : 'payments need'} a person: ${list}`,
    'Look at them in the admin portal, Payments; docs/operations/payments.md says what each reason asks for.',
  );
}

function judgeUnknown(intents: string[]): Finding {
  if (intents.length === 0) return ok(`nothing paid at Stripe in ${DAYS} days is unknown here`);
  return fault(
    `paid at Stripe and not in our books: ${intents.join(', ')}`,
    'Do with each what docs/operations/payments.md says under "Reconciliation".',
  );
}
