import type { QueueName } from '#events/catalogue.ts';
import type { QueueFlow } from '#events/queue-health.ts';
import { duration } from './duration.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import {
  LONG_QUEUES,
  OUTBOX_FAULT_S,
  UNCONSUMED_LONG_WARNING_S,
  UNCONSUMED_WARNING_S,
} from './thresholds.ts';

export const START_WORKERS = 'Start the workers, or see in their log why they do not work.';

/** Whether relays take events out of the outbox. */
export function judgeOutbox(oldestSeconds: number): Finding {
  if (oldestSeconds <= OUTBOX_FAULT_S) return ok('no event waits in the outbox');
  return fault(
    `an event has waited in the outbox for ${duration(oldestSeconds)}`,
    START_WORKERS,
    oldestSeconds,
  );
}

/** Whether a queue consumes what it is given. */
export function judgeOldest(name: QueueName, oldestSeconds: number): Finding {
  const isLong = LONG_QUEUES.includes(name);
  if (oldestSeconds <= (isLong ? UNCONSUMED_LONG_WARNING_S : UNCONSUMED_WARNING_S)) {
    return ok(`nothing waits long in ${name}`);
  }
  return warning(
    `an event has waited in ${name} for ${duration(oldestSeconds)}`,
    'Look at its jobs for one that fails again and again.',
    oldestSeconds,
  );
}

/** What is known of a queue; undefined is what could not be read. */
export interface QueueFacts {
  /** Seconds; 0 when nothing waits. */
  oldestSeconds: number | undefined;
  flow: QueueFlow | undefined;
  failed: number | undefined;
  isPaused: boolean | undefined;
}

/** Everything that is not well with a queue; empty when all is. */
export function judgeQueue(name: QueueName, facts: QueueFacts): Finding[] {
  const { oldestSeconds = 0, flow, failed = 0, isPaused = false } = facts;
  if (isPaused) {
    return [
      warning(`${name} is paused`, 'Resume it on the board when what it waits for is mended.'),
    ];
  }
  const { state, canaryAgeSeconds: age } = flow ?? {};
  const isStuck = state === 'stuck';
  const since = age == null ? 'yet' : `for ${duration(age)}`;
  const waits = judgeOldest(name, oldestSeconds);
  return [
    ...(isStuck
      ? [fault(`nothing has come through ${name} ${since}`, START_WORKERS, age ?? undefined)]
      : []),
    ...(waits.level === 'ok' ? [] : [waits]),
    ...(failed > 0
      ? [
          warning(
            `${failed} ${failed === 1 ? 'job' : 'jobs'} of ${name} failed on all tries`,
            'Read the error on the board, mend its cause, then retry there; it is retried every minute anyway.',
          ),
        ]
      : []),
  ];
}
