import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  checkQueue,
  type PostgresQueueFacts,
  readBacklog,
  type RedisFacts,
} from '@proveklar/services/events/queue-health.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { readReconciled } from '@proveklar/services/payments/incoming/reconcile.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import { judgeCompared, judgeStripeRead } from '#status/judge-books.ts';
import { judgeOldest, judgeOutbox, judgeRejections } from '#status/judge-queues.ts';
import { type Check, readBooks } from './installation.ts';

/** What carries events to the workers: Redis, or PostgreSQL. */
export const queue: Check = {
  name: 'Queue',
  async run({ config, isProduction }) {
    const { QUEUE_URL: url } = config;
    if (!url) return [unchecked('QUEUE_URL is not set')];
    try {
      const facts = await checkQueue(url);
      return facts.kind === 'redis' ? judgeRedis(facts, isProduction) : [judgePostgres(facts)];
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

function judgeRedis(facts: RedisFacts, isProduction: boolean): Finding[] {
  const { version, minVersion, isSupported, evictionPolicy, isAppendOnly } = facts;
  const findings = [
    isSupported
      ? ok(`Redis ${version}`)
      : fault(
          `Redis ${version} is older than ${minVersion}`,
          `Install Redis ${minVersion} or newer.`,
        ),
    judgePolicy(evictionPolicy),
  ];
  if (isProduction && isAppendOnly === false) {
    findings.push(
      warning(
        'Redis keeps nothing over a restart (appendonly no): what waits is then handed over again by the workers',
        'Start Redis with --appendonly yes.',
      ),
    );
  }
  return findings;
}

function judgePolicy(policy: string | null): Finding {
  if (policy === 'noeviction') return ok('maxmemory-policy noeviction');
  if (policy === null) {
    return warning(
      'Redis does not say its maxmemory-policy',
      'Make sure where Redis is configured that it is noeviction.',
    );
  }
  return fault(
    `maxmemory-policy is ${policy}: under memory pressure jobs would be thrown away`,
    'Start Redis with --maxmemory-policy noeviction, or set it where Redis is configured.',
  );
}

function judgePostgres({ schemaVersion }: PostgresQueueFacts): Finding {
  if (schemaVersion > 0) return ok(`PostgreSQL, tables of BullMQ in version ${schemaVersion}`);
  return fault(
    'the tables of BullMQ are missing',
    'Run docker compose run --rm migrate (locally npm start does it).',
  );
}

/** Whether workers work: by what is left undone, and by what is done every minute. */
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
        // Workers that never ask compare nothing either.
        ...(read.level === 'ok' ? [judgeCompared(reconciled)].filter(isNotWell) : []),
      ];
    }),
};

const isNotWell = ({ level }: Finding): boolean => level !== 'ok';
