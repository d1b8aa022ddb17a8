import {
  countAttention,
  findUnknownIntents,
} from '@proveklar/services/payments/reconciliation/check-books.ts';
import { judgeAttention, judgeUnknown } from '@proveklar/operators/status/judge-books.ts';
import { UNKNOWN_DAYS } from '@proveklar/operators/status/thresholds.ts';
import type { Check } from './installation.ts';
import { readBooks } from './read-books.ts';

/** What a person must look at. */
export const payments: Check = {
  name: 'Payments',
  run: (installation) =>
    readBooks(installation, async (db) => {
      const [attention, unknown] = await Promise.all([
        countAttention(db),
        findUnknownIntents(db, UNKNOWN_DAYS),
      ]);
      return [judgeAttention(attention), judgeUnknown(unknown)];
    }),
};
