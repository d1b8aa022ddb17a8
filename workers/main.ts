import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { openQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { createIdentityProvider } from '@proveklar/services/identity/identity-provider.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { createStripeClient } from '@proveklar/services/payments/stripe/stripe-client.ts';
import { buildOperatorsApp } from './operators.ts';
import { inTime } from './in-time.ts';
import { analysisConsumer } from './analysis/analysis.ts';
import { changesConsumer } from './changes/changes.ts';
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
const config = parseConfig(WorkersConfig);
const log = pino({ level: config.LOG_LEVEL ?? 'info' });
const onError = (error: Error) => log.error({ err: error }, 'connection');

const db = createPool(config.DATABASE_URL, { applicationName: 'workers', max: 20 }, onError);
const backend = openQueueBackend(config.QUEUE_URL, onError);
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
const addresses = {
  publicUrl: config.PUBLIC_URL,
  supportEmail: config.SUPPORT_EMAIL,
};

const deps = { db, backend, log };
const relay = startRelay(deps);
const schedules = startSchedules(deps);
const workers = [
  runConsumer(deps, liveConsumer),
  runConsumer(deps, statisticsConsumer),
  runConsumer(deps, importsConsumer(db)),
  runConsumer(deps, analysisConsumer(db)),
  runConsumer(deps, changesConsumer(db)),
  runConsumer(deps, nearDuplicatesConsumer(db)),
  runConsumer(
    deps,
    paymentsConsumer(
      { db, stripe, identity, limits: limitsOf(config) },
      config.REGISTRATION_GRACE_SECONDS * 1000,
    ),
  ),
  runConsumer(deps, regradesConsumer(db)),
  runConsumer(deps, mailConsumer({ db, mailer, addresses, identity })),
];
const operators = buildOperatorsApp(db, relay.queues);
await operators.listen({ host: config.HOST, port: config.OPERATORS_PORT });
log.info({ queues: backend.name, port: config.OPERATORS_PORT }, 'workers ready');

// Jobs under way are finished first; after eight seconds the process ends all the same, and whoever
// takes up the job finds what was committed.
closeWithGrace({ delay: 8_000, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The workers end because of an error that nobody caught');
  await operators.close();
  // A queue that is away would hold them for ever; what they did not finish is taken up again.
  await inTime(STOP_MS, Promise.all(workers.map((worker) => worker.close())));
  await inTime(STOP_MS, Promise.all([relay.stop(), schedules.stop()]));
  await inTime(STOP_MS, backend.close());
  await db.end();
});
