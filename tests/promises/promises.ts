// Over 400 lines: one list, which is read as a whole.

/** A promise of the service in one sentence, with the tests that prove it. docs/promises.md is made from them. */
export interface ServicePromise {
  /** Its key in docs/promises.json. */
  id: string;
  section: Section;
  text: string;
  tests: readonly ProofTest[];
  /** What runs its tests in full size, unless that is `npm test` with their files. */
  command?: string;
  /** Those figures of its tests that the page shows; all by default. */
  figures?: readonly string[];
  /** What no test proves yet. */
  missing?: string;
}

export interface ProofTest {
  file: string;
  /** Of a test or a group of tests, as its file has it, with `…` for `${…}`; all tests of the file by default. */
  title?: string;
}

type Section =
  | 'Payments'
  | 'Access and privacy'
  | 'Hostile input'
  | 'When processes die'
  | 'When what we depend on fails'
  | 'Live updates and mail'
  | 'Learning'
  | 'Editing the question bank'
  | 'Operating';

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a file has the test: its title between quotes, on one line. */
export function isWrittenIn({ title }: ProofTest, source: string): boolean {
  const pattern = escaped(title ?? '').replaceAll('…', String.raw`\$\{.+?\}`);
  return title === undefined || new RegExp(`['"\`]${pattern}['"\`]`).test(source);
}

/** Whether a test with this path of titles is the one, or in that group. */
export function namedBy({ title }: ProofTest, titles: readonly string[]): boolean {
  if (title === undefined) return true;
  // What a run fills in: `${…}`, `%s`, `$name`.
  const pattern = escaped(title).replaceAll(/…|%[a-z]|\\\$[a-z]+/g, '.*');
  return titles.some((one) => new RegExp(`^${pattern}$`).test(one));
}

/** The tests with these titles in a file; all of its tests without titles. */
const tests = (file: string, ...titles: string[]): ProofTest[] =>
  titles.length === 0 ? [{ file }] : titles.map((title) => ({ file, title }));

const SETTLEMENT = tests(
  'tests/payments/settlement.test.ts',
  '… payments are credited once each, whatever happens',
);
const CRASH_POINTS = 'tests/payments/crash-points.large.test.ts';
const REDIS = 'tests/faults/redis.large.test.ts';
const KILLS = 'tests/faults/kills.large.test.ts';
const ANSWERS = 'tests/events/answers-counted.test.ts';

/** All promises, in the order of the page. */
export const promises: readonly ServicePromise[] = [
  {
    id: 'credited-once',
    section: 'Payments',
    text: 'A payment that succeeds at Stripe gives its days exactly once, no matter who reports it first.',
    tests: [
      ...SETTLEMENT,
      ...tests(
        CRASH_POINTS,
        '100 confirm calls and 5 events at once create one user, credit and receipt',
      ),
    ],
    command: 'npm run test:payments',
    figures: [
      'payments',
      'kills',
      'paid at Stripe',
      'webhooks delivered',
      'missing',
      'double',
      'worst seconds to credit',
    ],
  },
  {
    id: 'webhook-stored',
    section: 'Payments',
    text: 'A webhook is acknowledged only when its event is stored.',
    tests: [
      ...SETTLEMENT,
      ...tests(
        'gateway/routes/stripe-webhook.test.ts',
        'the webhook stores an event once, with the event for the workers',
      ),
    ],
    command: 'npm run test:payments',
    figures: ['webhooks delivered', 'acknowledged webhooks lost'],
    missing:
      'how long an acknowledgement takes at 100 webhooks a second while no worker runs; not measured.',
  },
  {
    id: 'webhook-forged',
    section: 'Payments',
    text: 'A webhook that is forged, altered, old or from the future changes nothing.',
    tests: tests('gateway/routes/stripe-webhook.test.ts'),
  },
  {
    id: 'webhook-order',
    section: 'Payments',
    text: 'Whatever order the events of a payment arrive in, our books end as Stripe says.',
    tests: tests('tests/payments/event-orders.test.ts'),
    command: 'npm run test:payments',
  },
  {
    id: 'webhooks-lost',
    section: 'Payments',
    text: 'When every webhook is lost, the payments are found and credited within minutes.',
    tests: [
      ...SETTLEMENT,
      ...tests(
        'services/payments/incoming/reconcile.test.ts',
        "finds a payment among Stripe's events and settles it once",
        'finds what no event reported by comparing payments, refunds and disputes',
      ),
    ],
    command: 'npm run test:payments',
    figures: ['worst seconds, every webhook lost', 'seconds until all was settled'],
    missing:
      'the time without any webhook is measured in full size only; in the other sizes the minute of the schedule is skipped.',
  },
  {
    id: 'one-click',
    section: 'Payments',
    text: 'One click starts one payment, however often it is sent and whatever answer is lost.',
    tests: [
      ...tests(
        CRASH_POINTS,
        '30 clicks at once, with lost answers and a stored failure, get one PaymentIntent',
        'of the start of a payment, and the same click gets one payment',
      ),
      ...tests(
        'gateway/routes/payment.test.ts',
        'the same idempotency key returns the same intent; another key or address does not',
      ),
    ],
  },
  {
    id: 'price',
    section: 'Payments',
    text: 'The server decides the price, in whole øre; another amount or payment gives nothing.',
    tests: [
      ...tests(
        'gateway/routes/admin/settings.test.ts',
        'the settings accept a price of %d NOK',
        'the settings refuse a price that is %s',
      ),
      ...tests(
        'gateway/routes/payment.test.ts',
        'a registration paid with another %s is refused as payment_mismatch, and creates nothing',
        'a payment of another user is not settled',
      ),
    ],
  },
  {
    id: 'usable-account',
    section: 'Payments',
    text: 'A paid registration ends in one account that its payer can use, wherever a process died on the way.',
    tests: [
      ...SETTLEMENT,
      ...tests(CRASH_POINTS),
      ...tests('tests/payments/squatting.large.test.ts', 'an address squatted by %s'),
    ],
    command: 'npm run test:payments',
    figures: ['unusable accounts', 'wrong ends of service'],
  },
  {
    id: 'redirects',
    section: 'Payments',
    text: 'A payer whose bank asks on another page, and who never comes back from it, has the days.',
    tests: [...SETTLEMENT, ...tests('gateway/routes/payment-status.test.ts')],
    command: 'npm run test:payments',
    figures: ['by a redirect', 'by wallet', 'clients that died on the way', 'missing', 'double'],
    missing: 'Vipps at Stripe itself: it was tried at our stand-in only.',
  },
  {
    id: 'refunds',
    section: 'Payments',
    text: 'Refunds and disputes change access by one rule, once, in any order.',
    tests: [
      ...tests('services/payments/refund.test.ts'),
      ...tests('tests/payments/event-orders.test.ts'),
      ...tests(
        'gateway/routes/account-payments.test.ts',
        'concurrent and repeated withdrawals make one refund',
      ),
    ],
    missing: 'how long it takes until access has changed; not measured.',
  },
  {
    id: 'waiting-days',
    section: 'Payments',
    text: 'Days that wait for the end of a withdrawal period begin once, at their time.',
    tests: tests('gateway/routes/payment-waiting-days.test.ts'),
  },
  {
    id: 'card-testing',
    section: 'Payments',
    text: 'Stolen cards cannot be tried in numbers: neither by address, by payer, nor by proxy header.',
    tests: tests('gateway/routes/payment-limits.test.ts'),
  },
  {
    id: 'token-is-no-payment',
    section: 'Access and privacy',
    text: 'A valid token alone opens nothing that is paid for.',
    tests: [
      ...tests(
        'gateway/routes/late-body.large.test.ts',
        'a call whose service expires before its body arrives',
      ),
      ...tests('tests/payments/squatting.large.test.ts', 'the public sign-up'),
    ],
    missing:
      'a user without an account is tried by the generated calls only (`npm run test:fuzz`).',
  },
  {
    id: 'admin',
    section: 'Access and privacy',
    text: 'Only a proven Google sign-in with the administrator’s address is an administrator.',
    tests: [
      ...tests(
        'tests/api/admin-access.test.ts',
        'every admin route refuses',
        "a Google account whose address looks like the administrator's is let in nowhere",
      ),
      ...tests('services/identity/verify-token.test.ts'),
    ],
  },
  {
    id: 'roles',
    section: 'Access and privacy',
    text: 'An editor or supporter reaches the routes of that role only, until the role is taken away, even in the middle of a call.',
    tests: [
      ...tests('tests/api/admin-access.test.ts', 'a person whose role is %s'),
      ...tests('services/accounts/portal-members.test.ts'),
    ],
  },
  {
    id: 'own-data',
    section: 'Access and privacy',
    text: 'No learner sees another’s quizzes, payments or progress.',
    tests: [
      ...tests(
        'services/quiz/quiz.test.ts',
        'refuses to end, read or cancel the quiz of another account',
        'refuses an unknown option, a question of another quiz, and another learner',
      ),
      ...tests(
        'gateway/routes/account-payments.test.ts',
        'learners see their own payments only, newest first',
      ),
      ...tests(
        'gateway/routes/questions.test.ts',
        "returns no questions of an open quiz, nor of another learner's",
      ),
      ...tests('tests/api/learner-progress.test.ts'),
      ...tests('tests/api/other-learners.test.ts'),
    ],
  },
  {
    id: 'routes-declare-access',
    section: 'Access and privacy',
    text: 'Every route declares who may call it, or the gateway does not start.',
    tests: tests('gateway/routes/routes.test.ts'),
  },
  {
    id: 'who-is-registered',
    section: 'Access and privacy',
    text: 'We do not tell who is registered.',
    tests: [
      ...tests(
        'gateway/routes/payment.test.ts',
        'registering responds the same for an address with an account, and extends it',
        'registering for free does not reveal who is registered',
      ),
      ...tests(
        'gateway/routes/password.test.ts',
        'answers the same for an address without an account, and mails nothing',
        'stores the same for every address, and looks no user up before the answer',
      ),
    ],
    missing: 'the difference in time between a taken and a free address; not measured.',
  },
  {
    id: 'sessions-end',
    section: 'Access and privacy',
    text: 'A new password, a new address or a disabled account ends older sessions, and their live updates.',
    tests: [
      ...tests('gateway/routes/account-sessions.test.ts'),
      ...tests('tests/events/sessions.test.ts'),
    ],
  },
  {
    id: 'password-links',
    section: 'Access and privacy',
    text: 'A password link works once, for an hour, and only for its owner.',
    tests: tests('gateway/routes/password.test.ts'),
  },
  {
    id: 'deletion',
    section: 'Access and privacy',
    text: 'A deleted account leaves nothing behind, whatever happens at the same time.',
    tests: [
      ...tests('gateway/routes/account-deletion-race.test.ts'),
      ...tests('gateway/routes/account-delete.test.ts'),
      ...tests('workers/restored-accounts-command.test.ts'),
    ],
  },
  {
    id: 'secrets',
    section: 'Access and privacy',
    text: 'Passwords, tokens, keys and card numbers are never written to a log, a queue, a trace or a table.',
    tests: [
      ...tests('tests/events/secrets.large.test.ts'),
      ...tests('services/logging/scrub.test.ts'),
    ],
  },
  {
    id: 'browser-runs-ours',
    section: 'Access and privacy',
    text: 'The browser runs only our code, Stripe’s and Google’s.',
    tests: tests('tests/browser/content-security.large.test.ts'),
    missing: 'Stripe’s and Google’s own scripts: the pages were seen with the stand-ins.',
  },
  {
    id: 'any-input',
    section: 'Hostile input',
    text: 'No input causes an internal error or an answer that the API document does not declare.',
    tests: [
      ...tests('tests/fuzz/api.large.test.ts'),
      ...tests('gateway/routes/hostile-queries.test.ts'),
    ],
    command: 'npm run test:fuzz',
    figures: ['calls', 'answers with 5xx', 'kinds of faults', 'broken invariants'],
  },
  {
    id: 'hostile-files',
    section: 'Hostile input',
    text: 'A hostile file, also one that is packed or a workbook, is refused, and others are served meanwhile.',
    tests: [
      ...tests('tests/imports/hostile-files.large.test.ts'),
      ...tests('services/imports/unpack.large.test.ts'),
      ...tests('services/imports/read-xlsx-rows.test.ts'),
      ...tests('services/imports/read-xlsx-rows.large.test.ts'),
      ...tests('services/imports/read-csv-rows.test.ts', 'a CSV file is refused'),
      ...tests('services/imports/preview-file.large.test.ts'),
      ...tests(
        'services/images/read-image.test.ts',
        'decompression bombs are refused before they are decoded',
      ),
    ],
    figures: ['longest turn, ms', 'gateway grew by, MB', 'worker grew by, MB', 'others, p95 ms'],
  },
  {
    id: 'floods',
    section: 'Hostile input',
    text: 'Clients that flood, or send and read slowly or never, are cut, and others are answered.',
    tests: [
      ...tests('tests/faults/floods.large.test.ts'),
      ...tests('services/http/bounded-server.test.ts'),
      ...tests('gateway/plugins/bodies.test.ts'),
      ...tests('gateway/routes/events.test.ts', 'a client that does not read'),
    ],
  },
  {
    id: 'answers-once',
    section: 'When processes die',
    text: 'An acknowledged answer is stored and counted exactly once.',
    tests: tests(ANSWERS),
    figures: ['answers', 'kills'],
  },
  {
    id: 'imports-whole',
    section: 'When processes die',
    text: 'An import is all there, each question once, whatever dies meanwhile.',
    tests: tests('tests/imports/killed-workers.large.test.ts'),
    command: 'FULL=1 npm test -- tests/imports/killed-workers',
  },
  {
    id: 'background-work',
    section: 'When processes die',
    text: 'Changes of many questions, the search index and the search for near-duplicates survive a killed worker.',
    tests: tests('tests/events/killed-in-background.large.test.ts', 'workers that are killed'),
  },
  {
    id: 'regrade',
    section: 'When processes die',
    text: 'A corrected key reaches every result, with one mail for each learner, although a worker is killed.',
    tests: tests('tests/events/regrade.large.test.ts'),
  },
  {
    id: 'rejected-events',
    section: 'When processes die',
    text: 'An event that no handler can process is rejected alone; the others of its batch are applied once.',
    tests: [
      ...tests('tests/events/rejected-events.large.test.ts'),
      ...tests('services/events/rejected-events.test.ts'),
    ],
  },
  {
    id: 'interrupted-quiz',
    section: 'When processes die',
    text: 'A quiz survives crashes of the browser, the gateway and the workers, and being offline.',
    tests: tests('tests/browser/interrupted-quiz.large.test.ts'),
  },
  {
    id: 'back-in-seconds',
    section: 'When processes die',
    text: 'After a kill the gateway and the workers work again within five seconds in 95 of 100 cases, where nothing else needs the processors.',
    tests: [
      ...tests(
        KILLS,
        'both processes work again after each of … random kills',
        '95 of 100 are back within … s',
      ),
      ...tests('tests/local/service.test.ts'),
    ],
    command: 'RANDOM_KILLS=20 FULL=1 npm test -- tests/faults/kills tests/local/service.test.ts',
    figures: [
      'kills',
      'seconds until back, median',
      'seconds until back, 95 %',
      'seconds until back, slowest',
      'seconds of it until the start, slowest',
      'longest seconds until an answer was acknowledged',
      'longest seconds until an event was consumed',
      'answers not stored',
      'answers not counted',
    ],
    missing:
      'the pause before a restart is that of `npm start`; Docker’s and Kubernetes’ own are not measured.',
  },
  {
    id: 'deploys',
    section: 'When processes die',
    text: 'A release is invisible: no request fails while processes are replaced, with the version before or back to it.',
    tests: tests('tests/rolling/rolling.large.test.ts'),
    command: 'ROLLING_RESTARTS=20 FULL=1 npm test -- tests/rolling',
    figures: [
      'processes ended',
      'answers acknowledged',
      'failed requests',
      'longest exit, ms',
      'longest gap of a stream, ms',
    ],
  },
  {
    id: 'postgres-restart',
    section: 'When what we depend on fails',
    text: 'A restart of PostgreSQL, also without a clean shutdown, loses nothing that was acknowledged.',
    tests: tests('tests/faults/postgres.large.test.ts'),
    command: 'FULL=1 npm test -- tests/faults/postgres',
  },
  {
    id: 'redis-lost',
    section: 'When what we depend on fails',
    text: 'Losing Redis, all that is in it, or the half of a job, loses nothing.',
    tests: [
      ...tests(REDIS),
      ...tests(
        'services/events/queue-backend.large.test.ts',
        'the relay publishes again what Redis lost halfway, or regards as done',
      ),
    ],
    command: 'FULL=1 npm test -- tests/faults/redis services/events/queue-backend',
  },
  {
    id: 'whole-system',
    section: 'When what we depend on fails',
    text: 'Whatever breaks, and in whatever order, nothing is lost, doubled or leaked, and both kinds of queues end with the same.',
    tests: tests('tests/faults/whole-system.large.test.ts'),
    command: 'npm run test:faults -- --seed 1 --minutes 10',
    figures: [
      'seed',
      'minutes',
      'faults',
      'two at a time',
      'kinds of faults',
      'requests',
      'answers acknowledged',
      'answers lost',
      'answers counted wrongly',
      'payments at Stripe',
      'missing',
      'double',
      'rows imported',
      'connections and files leaked',
      'worst seconds to catch up',
    ],
    missing: 'more than two faults at the same time.',
  },
  {
    id: 'wrong-clock',
    section: 'When what we depend on fails',
    text: 'A process whose clock is ten minutes wrong changes no one’s access, and holds up nothing for longer than half a minute.',
    tests: [
      ...tests('tests/faults/clocks.large.test.ts'),
      ...tests(
        'services/events/queue-backend.large.test.ts',
        'a job of a dead worker is taken up although a clock was ten minutes ahead',
        'a job on $name is tried again after its delay although the clock of its worker was ahead',
        'a job on $name is tried again after its delay although the clock of the only worker is behind',
      ),
      ...tests(
        'services/identity/verify-token.test.ts',
        'of a sign-in ten minutes ahead of our clock is verified',
      ),
    ],
    missing:
      'a gateway whose clock is ahead asks for another sign-in before a password is changed, each time; and one that is five minutes wrong refuses webhooks, whose payments the reconciliation finds. Of two workers, jobs that fail on the one that is behind are tried again without a delay.',
  },
  {
    id: 'disk-full',
    section: 'When what we depend on fails',
    text: 'A full disk of the database is answered with 503, loses nothing, and heals without a restart of ours.',
    tests: tests('tests/faults/disk.large.test.ts'),
  },
  {
    id: 'database-away',
    section: 'When what we depend on fails',
    text: 'While the database is away, calls are told to retry, and the gateway says that it is not ready.',
    tests: tests('gateway/plugins/errors.test.ts', 'while the database is down'),
  },
  {
    id: 'backup',
    section: 'When what we depend on fails',
    text: 'A backup restores the database, and one that is truncated is not restored.',
    tests: tests('tests/operations/backup.large.test.ts'),
  },
  {
    id: 'offsite-backup',
    section: 'When what we depend on fails',
    text: 'When the machine is lost, its last backup comes back from a store elsewhere, where no one can read it without the password.',
    tests: tests('tests/operations/offsite.large.test.ts'),
  },
  {
    id: 'point-in-time',
    section: 'When what we depend on fails',
    text: 'Where PostgreSQL archives its write-ahead log, the database is restored as it was at a chosen time.',
    tests: tests('tests/operations/point-in-time.large.test.ts'),
  },
  {
    id: 'live-updates',
    section: 'Live updates and mail',
    text: 'Live updates miss nothing and repeat nothing, also of transactions that commit late, and end with their token.',
    tests: [
      ...tests('services/live/live.test.ts'),
      ...tests('gateway/routes/events.test.ts', 'live updates'),
      ...tests('tests/events/live-updates.test.ts'),
    ],
    missing: 'many clients whose connections are cut at random moments.',
  },
  {
    id: 'mail-once',
    section: 'Live updates and mail',
    text: 'A mail is sent once, also by several workers, after a refusal, and after a worker died.',
    tests: [
      ...tests('services/mail/send-once.test.ts'),
      ...tests('tests/mail/payment-mail.test.ts'),
      ...tests('tests/mail/reminder-mail.test.ts'),
    ],
  },
  {
    id: 'mail-after-a-kill',
    section: 'Live updates and mail',
    text: 'A mail that a worker was sending when it was killed is sent within 15 seconds; one that stood still meanwhile does not send it too.',
    tests: [
      ...tests(
        KILLS,
        'mails that a killed worker was sending are sent',
        'each of these mails is sent within … s',
      ),
      ...tests('services/mail/send-once.test.ts', 'the lease on a mail'),
    ],
    command:
      'RANDOM_KILLS=20 FULL=1 npm test -- tests/faults/kills services/mail/send-once.test.ts',
  },
  {
    id: 'memory-is-rebuild',
    section: 'Learning',
    text: 'What the service remembers of a learner is what a rebuild from the answers computes.',
    tests: [
      ...tests(ANSWERS),
      ...tests(
        'services/learning/record-answers.test.ts',
        'any order of events ends with what a rebuild computes',
        'the rebuild',
      ),
    ],
  },
  {
    id: 'model',
    section: 'Learning',
    text: 'Whatever learners do, in any order and several at once, their quizzes, results, progress and access are what a model says.',
    tests: tests('tests/model/learners.large.test.ts'),
    command: 'FULL=1 npm test -- tests/model',
  },
  {
    id: 'readiness',
    section: 'Learning',
    text: 'The readiness that learners read is how often simulated learners pass.',
    tests: tests('tests/learning/readiness.large.test.ts'),
    command: 'npm run test:learning',
  },
  {
    id: 'todays-practice',
    section: 'Learning',
    text: 'Today’s practice reaches a probability of 80 % to pass with fewer answers than random drills.',
    tests: tests('tests/learning/todays-practice.large.test.ts'),
    command: 'npm run test:learning',
  },
  {
    id: 'pace',
    section: 'Learning',
    text: 'Who practises as much as the plan suggests passes about as often as the plan aims at.',
    tests: tests('tests/learning/pace.large.test.ts'),
    command: 'npm run test:learning',
  },
  {
    id: 'two-editors',
    section: 'Editing the question bank',
    text: 'Two editors of one question overwrite nothing of each other.',
    tests: [
      ...tests('gateway/routes/question-writing.test.ts', 'two editors of one question'),
      ...tests('services/questions/edit-question.test.ts'),
    ],
  },
  {
    id: 'releases-undone',
    section: 'Editing the question bank',
    text: 'A release of our question bank is applied once, survives a killed process, and is undone without touching what was edited since.',
    tests: [
      ...tests('services/bank-releases/changes.test.ts'),
      ...tests('services/bank-releases/apply-release.test.ts'),
      ...tests('services/bank-releases/release-work.test.ts'),
    ],
  },
  {
    id: 'imports-undone',
    section: 'Editing the question bank',
    text: 'Undoing an import restores what it replaced, and nothing that was changed since.',
    tests: tests('services/imports/undo-conflicts.test.ts'),
  },
  {
    id: 'stand-ins',
    section: 'Operating',
    text: 'Production does not start with a stand-in, a local default or a secret that can be guessed.',
    tests: [
      ...tests(
        'services/config/config.test.ts',
        'lists every local default in production, and what to set instead',
        'rejects %s in production',
      ),
      ...tests('tests/local/production.test.ts'),
      ...tests('tests/operations/compose-file.test.ts'),
    ],
  },
  {
    id: 'alerts',
    section: 'Operating',
    text: 'Every alert fires when it should and only then, and has a section in the runbook.',
    tests: tests('tests/operations/alerts.large.test.ts', 'every alert'),
  },
  {
    id: 'supply-chain',
    section: 'Operating',
    text: 'We know what we install: packages by version and hash, and only those that are used.',
    tests: [
      ...tests('tests/local/left-out-packages.test.ts'),
      ...tests('tests/checks/dependencies.test.ts'),
    ],
    missing: 'an audit: the registry here does not answer it.',
  },
];
