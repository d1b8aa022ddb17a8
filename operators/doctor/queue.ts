import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  checkQueue,
  type PostgresQueueFacts,
  readBacklog,
  type RedisFacts,
} from '@proveklar/services/events/queue-health.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import { readPausedSeconds } from '@proveklar/services/events/queue-pauses.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { readReconciled } from '@proveklar/services/payments/incoming/reconcile.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import { evaluateComparison, evaluateReconciliation } from '#status/evaluate-payments.ts';
import {
  evaluateOldestEvents,
  evaluateOutbox,
  evaluatePaused,
  evaluateRejections,
} from '#status/evaluate-queues.ts';
import { type Check, withDatabase } from './installation.ts';

/** The queue backend: Redis or PostgreSQL. */
export const queue: Check = {
  name: 'Queue',
  async run({ config, isProduction }) {
    const { QUEUE_URL: url } = config;
    if (!url) return [unchecked('QUEUE_URL is not set')];
    try {
      const facts = await checkQueue(url);
      return facts.kind === 'redis'
        ? evaluateRedis(facts, isProduction)
        : [evaluatePostgres(facts)];
    } catch (error) {
      return [
        fault(
          `the queue does not answer: ${reasonOf(error)}`,
          isProduction
            ? 'Start Redis, or correct QUEUE_URL; events wait in the outbox meanwhile.'
            : 'Start the local stack with npm start, or correct QUEUE_URL.',
        ),
      ];
    }
  },
};

function evaluateRedis(facts: RedisFacts, isProduction: boolean): Finding[] {
  const { version, minVersion, isSupported, evictionPolicy, isAppendOnly } = facts;
  const findings = [
    isSupported
      ? ok(`Redis ${version}`)
      : fault(
          `Redis ${version} is older than ${minVersion}`,
          `Install Redis ${minVersion} or newer.`,
        ),
    evaluateEvictionPolicy(evictionPolicy),
  ];
  if (isProduction && isAppendOnly === false) {
    findings.push(
      warning(
        'Redis loses its data at a restart (appendonly no): the workers then enqueue waiting events again',
        'Start Redis with --appendonly yes.',
      ),
    );
  }
  return findings;
}

function evaluateEvictionPolicy(policy: string | null): Finding {
  if (policy === 'noeviction') return ok('maxmemory-policy noeviction');
  if (policy === null) {
    return warning(
      'Redis does not report its maxmemory-policy',
      'Check that the configuration of Redis sets noeviction.',
    );
  }
  return fault(
    `maxmemory-policy is ${policy}: under memory pressure Redis would delete jobs`,
    'Start Redis with --maxmemory-policy noeviction, or set it where Redis is configured.',
  );
}

function evaluatePostgres({ schemaVersion }: PostgresQueueFacts): Finding {
  if (schemaVersion > 0) return ok(`PostgreSQL, BullMQ schema version ${schemaVersion}`);
  return fault(
    'the tables of BullMQ are missing',
    'Run docker compose run --rm migrate (locally npm start does it).',
  );
}

/** Checks that workers run, by the age of waiting events and by the reconciliation, which runs every minute. */
export const workers: Check = {
  name: 'Workers',
  run: (installation) =>
    withDatabase(installation, async (db) => {
      const [{ outboxOldestSeconds, oldestByQueue }, reconciled, rejections, pauses] =
        await Promise.all([
          readBacklog(db),
          readReconciled(db),
          readOpenRejections(db),
          readPausedSeconds(db),
        ]);
      const working = QUEUES.filter((name) => !pauses.has(name));
      const problems = [
        evaluateOutbox(outboxOldestSeconds),
        evaluateOldestEvents(working.map((name) => ({ name, oldestSeconds: oldestByQueue[name] }))),
        ...evaluatePaused(Array.from(pauses, ([name, pausedSeconds]) => ({ name, pausedSeconds }))),
        evaluateRejections(rejections),
      ].filter(isProblem);
      const reconciliation = evaluateReconciliation(reconciled);
      return [
        ...(problems.length > 0 ? problems : [ok('no event waits')]),
        reconciliation,
        // Workers that do not fetch from Stripe do not compare payments either.
        ...(reconciliation.level === 'ok'
          ? [evaluateComparison(reconciled)].filter(isProblem)
          : []),
      ];
    }),
};

const isProblem = ({ level }: Finding): boolean => level !== 'ok';
