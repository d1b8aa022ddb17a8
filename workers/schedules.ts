import type { Logger } from 'pino';
import {
  findInterruptedDeletions,
  forgetDeletions,
} from '@proveklar/services/accounts/account-deletion.ts';
import {
  beginWaitingDays,
  findEndingServices,
} from '@proveklar/services/accounts/credit-ledger.ts';
import { forgetGrantNotes } from '@proveklar/services/accounts/grant-days.ts';
import { findDueDeletions, findInactive } from '@proveklar/services/accounts/inactivity.ts';
import { forgetLimitedCalls } from '@proveklar/services/accounts/limited-calls.ts';
import { forgetPasswordLinks } from '@proveklar/services/accounts/password-links.ts';
import { forgetNames } from '@proveklar/services/audit/record-action.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { loop } from '@proveklar/services/events/loop.ts';
import { emit } from '@proveklar/services/events/outbox.ts';
import { sendCanaries } from '@proveklar/services/events/queue-health.ts';
import { runDue, type Scheduled } from '@proveklar/services/events/schedule.ts';
import { forgetDeletedLearning } from '@proveklar/services/learning/personal-data.ts';
import { forgetImports } from '@proveklar/services/imports/read-imports.ts';
import { findReminders, forgetOldConsents } from '@proveklar/services/learning/reminders.ts';
import { forgetUnusedImages } from '@proveklar/services/images/images.ts';
import { rebuildNext } from '@proveklar/services/learning/rebuild.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { forgetMailsByAddress } from '@proveklar/services/mail/send-once.ts';
import { forgetCodes } from '@proveklar/services/payments/codes/packet-codes.ts';
import { forgetWithdrawnNews } from '@proveklar/services/messages/news-consent.ts';
import { queueMessages } from '@proveklar/services/messages/send-message.ts';
import { forgetWithdrawals } from '@proveklar/services/payments/books/withdrawal.ts';
import { requestReconciliation } from '@proveklar/services/payments/incoming/reconcile.ts';
import {
  forgetClientAddresses,
  forgetNeverPaid,
  forgetOldPayments,
} from '@proveklar/services/payments/personal-data.ts';
import { forgetPaymentSearches } from '@proveklar/services/payments/search-payments.ts';
import { handInOverdue } from '@proveklar/services/quiz/hand-in.ts';

const CHECK_INTERVAL_MS = 5_000;
const DAY_S = 24 * 60 * 60;
const DAY_MS = DAY_S * 1000;

/** The recurring jobs. */
const SCHEDULES: readonly Scheduled[] = [
  {
    // A fresh canary is at most as old as this interval, the check interval and its way to the consumer.
    name: 'canaries',
    everySeconds: 10,
    work: sendCanaries,
  },
  {
    // Without a webhook, a learner's payment is found after at most this interval and the grace period.
    name: 'missed-stripe-events',
    everySeconds: 60,
    work: async (tx) => {
      await requestReconciliation(tx, { requestedBy: null, since: null });
    },
  },
  {
    name: 'compare-payments',
    everySeconds: DAY_S,
    work: async (tx) => {
      const since = new Date(Date.now() - 7 * DAY_MS);
      await requestReconciliation(tx, { requestedBy: null, since });
    },
  },
  {
    // Keeps the transaction small; a hundred thousand learners get their mail within two hours.
    name: 'ending-services',
    everySeconds: 60,
    work: async (tx) => {
      await findEndingServices(tx, 1_000);
    },
  },
  {
    // The pace of the mails: 36,000 an hour, from 17 to 21 o'clock.
    name: 'reminders',
    everySeconds: 20,
    work: async (tx) => {
      await findReminders(tx, { limit: 200 });
    },
  },
  {
    // The pace of messages to learners: 36,000 an hour, at any time of the day.
    name: 'messages',
    everySeconds: 10,
    work: async (tx) => {
      const { examined, ended } = await queueMessages(tx, 100);
      await notifyLive(tx, examined > 0 || ended ? [{ topic: 'messages' }] : []);
    },
  },
  {
    // Practice tests that the learner left open. The limit keeps the transaction small; with the check
    // interval it allows two thousand a minute.
    name: 'overdue-tests',
    everySeconds: 3,
    work: async (tx) => {
      await handInOverdue(tx, 200);
    },
  },
  {
    // Also sealed codes, password links and records of mails. It keeps its name, which
    // is in the database.
    name: 'forget-payment-searches',
    everySeconds: 60 * 60,
    work: async (tx) => {
      await forgetCodes(tx);
      await forgetPaymentSearches(tx);
      await forgetPasswordLinks(tx);
      await forgetMailsByAddress(tx);
    },
  },
  {
    name: 'forget-limited-calls',
    everySeconds: 60 * 60,
    work: async (tx) => {
      await forgetLimitedCalls(tx);
      await forgetClientAddresses(tx);
    },
  },
  {
    name: 'interrupted-deletions',
    everySeconds: 10 * 60,
    work: findInterruptedDeletions,
  },
  {
    name: 'forget-deletions',
    everySeconds: DAY_S,
    work: async (tx) => {
      await forgetDeletions(tx);
      await forgetDeletedLearning(tx);
    },
  },
  {
    name: 'forget-imports',
    everySeconds: 60 * 60,
    work: forgetImports,
  },
  {
    name: 'forget-unused-images',
    everySeconds: DAY_S,
    work: async (tx) => {
      await forgetUnusedImages(tx);
    },
  },
  {
    name: 'forget-audit-names',
    everySeconds: DAY_S,
    work: async (tx) => {
      await forgetNames(tx);
      await forgetGrantNotes(tx);
    },
  },
  {
    name: 'forget-old-consents',
    everySeconds: DAY_S,
    work: async (tx) => {
      await forgetOldConsents(tx);
      await forgetWithdrawnNews(tx);
    },
  },
  {
    // A year's payments leave on 1 January: a hundred thousand within a day.
    name: 'forget-old-payments',
    everySeconds: 10 * 60,
    work: async (tx) => {
      await forgetOldPayments(tx, { limit: 1_000 });
    },
  },
  {
    // All accounts of a day on which many registered reach the limit together.
    name: 'inactive-accounts',
    everySeconds: 10 * 60,
    work: async (tx) => {
      await findInactive(tx, { limit: 500 });
      await findDueDeletions(tx, { limit: 100 });
    },
  },
  {
    name: 'forget-never-paid',
    everySeconds: DAY_S,
    work: async (tx) => {
      await forgetNeverPaid(tx);
      await forgetWithdrawals(tx);
    },
  },
  {
    name: 'learning-refit',
    everySeconds: DAY_S,
    work: async (tx) => {
      await emit(tx, 'learning.refit_requested', {});
    },
  },
  {
    // Withdrawal periods end at midnight, many at once. The limit keeps the transaction small.
    name: 'waiting-days',
    everySeconds: 60,
    work: async (tx) => {
      await beginWaitingDays(tx, 200);
    },
  },
];

/** Runs due jobs until it is stopped. */
export function startSchedules({ db, log }: { db: Database; log: Logger }) {
  const stopping = new AbortController();
  const options = { signal: stopping.signal, log, pauseMs: CHECK_INTERVAL_MS };
  const running = loop('schedules', options, async () => {
    await runDue(db, SCHEDULES);
    return false;
  });
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

const REBUILD_INTERVAL_MS = 10_000;

/** Computes what learners remember from answers that no event brings (see `rebuildNext`). */
export function startLearningRebuild({ db, log }: { db: Database; log: Logger }) {
  const stopping = new AbortController();
  const options = { signal: stopping.signal, log, pauseMs: REBUILD_INTERVAL_MS };
  const running = loop('learning rebuild', options, () => rebuildNext(db, stopping.signal));
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
