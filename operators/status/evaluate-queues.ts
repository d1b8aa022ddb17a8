import type { QueueName } from '@proveklar/services/events/catalogue.ts';
import type { QueueFlow } from '@proveklar/services/events/queue-health.ts';
import type { OpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { coded, duration, fault, type Finding, type Level, ok, warning } from './finding.ts';
import {
  LONG_QUEUES,
  OUTBOX_FAULT_S,
  UNCONSUMED_LONG_WARNING_S,
  UNCONSUMED_WARNING_S,
} from './thresholds.ts';

export const START_WORKERS = 'Start the workers, or read in their log why they do not work.';
const MAX_NAMED_QUEUES = 4;

/** Facts of one queue. Undefined: could not be read. */
export interface QueueFacts {
  name: QueueName;
  /** Age in seconds of the oldest event that it has not consumed; 0 when nothing waits. */
  oldestSeconds: number | undefined;
  flow: QueueFlow | undefined;
  failed: number | undefined;
  isPaused: boolean | undefined;
  /** Seconds since it was decided; undefined also for a queue that is not paused. */
  pausedSeconds: number | undefined;
  /** Open rejected events. */
  rejected: number | undefined;
}

/** Whether a relay takes events out of the outbox. */
export function evaluateOutbox(oldestSeconds: number): Finding {
  if (oldestSeconds <= OUTBOX_FAULT_S)
    return coded('outbox_empty', ok('no event waits in the outbox'));
  const found = fault(
    `an event has waited in the outbox for ${duration(oldestSeconds)}`,
    START_WORKERS,
    oldestSeconds,
  );
  return coded('outbox_waits', found, { for_s: oldestSeconds });
}

/** Whether queues consume their events in time. */
export function evaluateOldestEvents(
  queues: readonly Pick<QueueFacts, 'name' | 'oldestSeconds'>[],
): Finding {
  const late = queues
    .filter(isLate)
    .map(({ name, oldestSeconds = 0 }) => ({ name, oldestSeconds }));
  if (late.length === 0) return coded('events_consumed', ok('no event waits'));
  const longest = Math.max(...late.map(({ oldestSeconds }) => oldestSeconds));
  const found = warning(
    `events have waited to be consumed by ${list(late)} for ${duration(longest)}`,
    'Look on the board for a job that keeps failing, and in the log of the workers.',
    longest,
  );
  return coded('events_late', found, { queues: all(late), for_s: longest });
}

/** Whether rejected events wait for an operator. */
export function evaluateRejections({ byQueue, groups }: OpenRejections): Finding {
  const count = Object.values(byQueue).reduce((sum, one) => sum + one, 0);
  if (count === 0) return coded('set_aside_none', ok('no rejected events'));
  const queues = Object.entries(byQueue).flatMap(([name, open]) => (open > 0 ? [{ name }] : []));
  const found = warning(
    `${count} rejected ${count === 1 ? 'event' : 'events'}: ${list(queues)}`,
    'Remove the cause, then retry them, or dismiss them: docs/operations/rejected-events.md.',
    groups[0]?.oldestSeconds,
  );
  return coded('set_aside', found, { count, queues: all(queues) });
}

/** All problems of the queues; empty when there is none. */
export function evaluateQueues(queues: readonly QueueFacts[]): Finding[] {
  return [
    ...evaluateStuck(queues.filter(isStuck)),
    ...evaluatePaused(queues.filter(isPaused)),
    ...[evaluateOldestEvents(queues.filter((queue) => !isPaused(queue)))].filter(
      ({ level }) => level !== 'ok',
    ),
    ...evaluateFailed(queues.filter(hasFailed)),
  ];
}

/** The level of one queue. */
export function levelOfQueue(queue: QueueFacts): Level {
  if (isStuck(queue)) return 'fault';
  const { rejected = 0 } = queue;
  const hasWarning = isPaused(queue) || isLate(queue) || hasFailed(queue) || rejected > 0;
  return hasWarning ? 'warning' : 'ok';
}

const isStuck = ({ flow }: QueueFacts) => flow?.state === 'stuck';
const isPaused = ({ isPaused = false }: QueueFacts) => isPaused;
const hasFailed = ({ failed = 0 }: QueueFacts) => failed > 0;
const isLate = ({ name, oldestSeconds = 0 }: Pick<QueueFacts, 'name' | 'oldestSeconds'>) =>
  oldestSeconds > (LONG_QUEUES.includes(name) ? UNCONSUMED_LONG_WARNING_S : UNCONSUMED_WARNING_S);

function evaluateStuck(stuck: readonly QueueFacts[]): Finding[] {
  if (stuck.length === 0) return [];
  const ages = stuck.map(({ flow }) => flow?.canaryAgeSeconds ?? Infinity);
  const shortest = Math.min(...ages);
  const isKnown = Number.isFinite(shortest);
  const since = isKnown ? `for ${duration(shortest)}` : 'yet';
  const found = fault(
    `nothing has come through ${list(stuck)} ${since}`,
    START_WORKERS,
    isKnown ? shortest : undefined,
  );
  const queues = all(stuck);
  return [
    isKnown
      ? coded('queues_stuck', found, { queues, for_s: shortest })
      : coded('queues_never', found, { queues }),
  ];
}

/** Whether an operator has paused queues; empty when none is. */
export function evaluatePaused(
  paused: readonly Pick<QueueFacts, 'name' | 'pausedSeconds'>[],
): Finding[] {
  if (paused.length === 0) return [];
  const known = paused.flatMap(({ pausedSeconds }) => pausedSeconds ?? []);
  const longest = known.length > 0 ? Math.max(...known) : undefined;
  const finding = warning(
    `paused: ${list(paused)}${longest === undefined ? '' : `, for ${duration(longest)}`}`,
    'Resume it in the portal, under Operations, or on the board, as soon as the cause is fixed.',
    longest,
  );
  return [coded('queues_paused', finding, { queues: all(paused) })];
}

function evaluateFailed(failing: readonly QueueFacts[]): Finding[] {
  if (failing.length === 0) return [];
  const jobs = failing.reduce((sum, { failed = 0 }) => sum + failed, 0);
  const found = warning(
    `${jobs} ${jobs === 1 ? 'job' : 'jobs'} failed on all attempts: ${list(failing)}`,
    'Read the error on the board and fix its cause. The jobs are retried every minute.',
  );
  return [coded('jobs_failed', found, { count: jobs, queues: all(failing) })];
}

const all = (queues: readonly { name: string }[]) => queues.map(({ name }) => name).join(', ');

/** "mail, live", "statistics, payments, mail, live and 5 more". */
function list(queues: readonly { name: string }[]): string {
  const names = queues.map(({ name }) => name);
  const more = names.length - MAX_NAMED_QUEUES;
  const named = more > 1 ? names.slice(0, MAX_NAMED_QUEUES) : names;
  return `${named.join(', ')}${more > 1 ? ` and ${more} more` : ''}`;
}
