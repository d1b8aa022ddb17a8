import type { Logger } from 'pino';
import type { WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { openQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { createIdentityProvider } from '@proveklar/services/identity/identity-provider.ts';
import { inTime } from '@proveklar/services/lifecycle/in-time.ts';
import { quietErrors } from '@proveklar/services/logging/quiet-errors.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { createStripeClient } from '@proveklar/services/payments/stripe/stripe-client.ts';
import { analysisConsumer } from './analysis/analysis.ts';
import { changesConsumer } from './changes/changes.ts';
import { workersChecks } from './health-checks.ts';
import { importsConsumer } from './imports/imports.ts';
import { liveConsumer } from './live/live.ts';
import { mailConsumer } from './mail/mail.ts';
import { nearDuplicatesConsumer } from './near-duplicates/near-duplicates.ts';
import { paymentsConsumer } from './payments/payments.ts';
import { regradesConsumer } from './regrades/regrades.ts';
import { startRelay } from './relay.ts';
import { runConsumer } from './run-consumer.ts';
import { startSchedules } from './schedules.ts';
import { statisticsConsumer } from './statistics/statistics.ts';

const STOP_MS = 2_500;

/** Connects to everything that workers need, and begins to work on all queues. */
export async function startWorkers(config: WorkersConfig, log: Logger) {
  const db = createPool(
    config.DATABASE_URL,
    { applicationName: 'workers', max: config.DATABASE_POOL },
    quietErrors(log, 'database connection').failed,
  );
  const backend = openQueueBackend(config.QUEUE_URL, quietErrors(log, 'queue connection'));
  const stripe = createStripeClient({
    secretKey: config.STRIPE_SECRET_KEY,
    apiUrl: config.STRIPE_API_URL,
  });
  const identity = createIdentityProvider({
    projectId: config.FIREBASE_PROJECT_ID,
    apiKey: config.FIREBASE_API_KEY,
    emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
  });
  await identity.check();
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    replyTo: config.SUPPORT_EMAIL,
    requireTls: config.NODE_ENV === 'production',
  });
  const addresses = { publicUrl: config.PUBLIC_URL, supportEmail: config.SUPPORT_EMAIL };

  const deps = { db, backend, log };
  const relay = startRelay(deps);
  const schedules = startSchedules(deps);
  const limits = limitsOf(config);
  const graceMs = config.REGISTRATION_GRACE_SECONDS * 1000;
  const workers = [
    runConsumer(deps, liveConsumer),
    runConsumer(deps, statisticsConsumer),
    runConsumer(deps, importsConsumer(db)),
    runConsumer(deps, analysisConsumer(db)),
    runConsumer(deps, changesConsumer(db)),
    runConsumer(deps, nearDuplicatesConsumer(db)),
    runConsumer(deps, paymentsConsumer({ db, stripe, identity, limits }, graceMs)),
    runConsumer(deps, regradesConsumer(db)),
    runConsumer(deps, mailConsumer({ db, mailer, addresses, identity })),
  ];

  return {
    db,
    backend,
    queues: relay.queues,
    checks: workersChecks({ db, backend, queues: relay.queues, workers }),
    /** Lets the jobs under way end, for at most 7.5 s: what they did not finish is taken up again. */
    async stop(): Promise<void> {
      // A queue that is away would hold them for ever.
      await inTime(STOP_MS, Promise.all(workers.map((worker) => worker.close())));
      await inTime(STOP_MS, Promise.all([relay.stop(), schedules.stop()]));
      await inTime(STOP_MS, backend.close());
      await db.end();
    },
  };
}
