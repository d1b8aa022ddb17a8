import { randomUUID } from 'node:crypto';
import { createLogger } from '@proveklar/services/logging/logger.ts';
import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import type { EventName, EventPayload } from '@proveklar/services/events/catalogue.ts';
import type { Handler, HandlerContext } from '@proveklar/services/events/run-consumer.ts';
import { completeRegrade, regradeQuestion } from '@proveklar/services/quiz/regrade.ts';
import { statisticsConsumer } from '@proveklar/workers/statistics.ts';

/** The events of answers. */
const ANSWERS = ['answer.submitted', 'quiz.ended'] as const;
/** All events that the statistics queue consumes for a quiz or a change of questions. */
export const COUNTED = ['quiz.started', ...ANSWERS, 'questions.merged'] as const;

/** Does what the workers do with waiting events of these names, for a test that runs no workers. */
export async function countEvents(
  db: Database,
  names: readonly (typeof COUNTED)[number][] = ANSWERS,
): Promise<void> {
  const { handlers } = statisticsConsumer;
  for (const name of names) await handle(db, name, handlers[name] as Handler<typeof name>);
}

async function handle<N extends EventName>(
  db: Database,
  name: N,
  handler: Handler<N>,
): Promise<void> {
  const payloads = await take(db, name);
  const context: HandlerContext = {
    once: (apply) => withTransaction(db, apply),
    signal: new AbortController().signal,
    log: createLogger({ kind: 'workers', level: 'silent' }),
  };
  await handler(
    payloads.map((payload) => ({ id: randomUUID(), payload })),
    context,
  );
}

/** Regrades the quizzes of all questions whose key was corrected. */
export async function regradeAll(db: Database): Promise<void> {
  for (const { regrade_id: id } of await take(db, 'question.key_corrected')) {
    await regradeQuestion(db, id);
    await withTransaction(db, (tx) => completeRegrade(tx, id));
  }
}

async function take<N extends EventName>(db: Database, name: N): Promise<EventPayload<N>[]> {
  const { rows } = await db.query<{ payload: EventPayload<N> }>(
    'delete from outbox where name = $1 returning payload',
    [name],
  );
  return rows.map((row) => row.payload);
}
