import {
  oldestInOutboxSeconds,
  oldestUnconsumedSeconds,
} from '@proveklar/services/events/backlog.ts';
import { readReconciled } from '@proveklar/services/payments/reconciliation/check-books.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import type { Check } from './installation.ts';
import { duration, readBooks } from './read-books.ts';

/** A relay takes events within a tenth of a second. */
const OUTBOX_FAULT_S = 60;
/** An import may take minutes, and is one event. */
const UNCONSUMED_WARNING_S = 5 * 60;
/** Missed events are looked for every minute: the canary. */
const CANARY_FAULT_S = 5 * 60;
/** Payments are compared once a day. */
const COMPARED_WARNING_S = 2 * 24 * 60 * 60;
const START =
  'Start the workers (docker compose up worker; locally npm start), or see in their log why they do not work.';

/** Whether somebody works: by what is left undone, and by what is done every minute. */
export const workers: Check = {
  name: 'Workers',
  run: (installation) =>
    readBooks(installation, async (db) => {
      const [outbox, unconsumed, reconciled] = await Promise.all([
        oldestInOutboxSeconds(db),
        oldestUnconsumedSeconds(db),
        readReconciled(db),
      ]);
      return [judgeBacklog(outbox, unconsumed), ...judgeCanary(reconciled)];
    }),
};

function judgeBacklog(outbox: number, unconsumed: number): Finding {
  if (outbox > OUTBOX_FAULT_S) {
    return fault(`an event has waited in the outbox for ${duration(outbox)}`, START);
  }
  if (unconsumed > UNCONSUMED_WARNING_S) {
    return warning(
      `an event has waited to be consumed for ${duration(unconsumed)}`,
      'Look at the log of the workers for a job that fails again and again, unless a large import is under way.',
    );
  }
  return ok('no event waits');
}

function judgeCanary({
  missedSeconds,
  comparedSeconds,
}: Awaited<ReturnType<typeof readReconciled>>): Finding[] {
  if (missedSeconds === null) return [fault('no worker has ever asked Stripe for events', START)];
  if (missedSeconds > CANARY_FAULT_S) {
    const ago = duration(missedSeconds);
    return [fault(`the last reconciliation was ${ago} ago; one is due every minute`, START)];
  }
  const ago = ok(`the last reconciliation was ${duration(missedSeconds)} ago`);
  if (comparedSeconds !== null && comparedSeconds <= COMPARED_WARNING_S) return [ago];
  const when = comparedSeconds === null ? 'never' : `${duration(comparedSeconds)} ago`;
  return [
    ago,
    warning(`payments were last compared one by one: ${when}`, 'Run npm run reconcile.'),
  ];
}
