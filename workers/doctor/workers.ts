import { readBacklog } from '@proveklar/services/events/backlog.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { type Finding, ok } from '@proveklar/operators/status/finding.ts';
import { judgeCompared, judgeStripeRead } from '@proveklar/operators/status/judge-books.ts';
import {
  judgeOldest,
  judgeOutbox,
  judgeRejections,
} from '@proveklar/operators/status/judge-queues.ts';
import { readReconciled } from '@proveklar/services/payments/reconciliation/check-books.ts';
import type { Check } from './installation.ts';
import { readBooks } from './read-books.ts';

/** Whether somebody works: by what is left undone, and by what is done every minute. */
export const workers: Check = {
  name: 'Workers',
  run: (installation) =>
    readBooks(installation, async (db) => {
      const [{ outboxOldestSeconds, oldestByQueue }, reconciled, rejections] = await Promise.all([
        readBacklog(db),
        readReconciled(db),
        readOpenRejections(db),
      ]);
      const waiting = [
        judgeOutbox(outboxOldestSeconds),
        judgeOldest(QUEUES.map((name) => ({ name, oldestSeconds: oldestByQueue[name] }))),
        judgeRejections(rejections),
      ].filter(isNotWell);
      const read = judgeStripeRead(reconciled);
      return [
        ...(waiting.length > 0 ? waiting : [ok('no event waits')]),
        read,
        // Whoever never asks compares nothing either.
        ...(read.level === 'ok' ? [judgeCompared(reconciled)].filter(isNotWell) : []),
      ];
    }),
};

const isNotWell = ({ level }: Finding): boolean => level !== 'ok';
