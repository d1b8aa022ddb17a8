import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import type { EventName, EventPayload } from '@proveklar/services/events/catalogue.ts';
import {
  completeRegrade,
  regradeLateAnswers,
  regradeQuestion,
} from '@proveklar/services/quiz/regrade.ts';
import { countAnswers } from '@proveklar/services/statistics/count-answers.ts';
import { measureQuizzes } from '@proveklar/services/statistics/measure-quizzes.ts';

/** Does what the workers do with the events that wait, for a test that has none. */
export async function countEvents(db: Database): Promise<void> {
  const answers = await take(db, 'answer.submitted');
  await withTransaction(db, async (tx) => {
    await regradeLateAnswers(tx, answers);
    await countAnswers(tx, answers);
  });
  const ended = await take(db, 'quiz.ended');
  await withTransaction(db, (tx) =>
    measureQuizzes(
      tx,
      ended.map((event) => event.quiz_id),
    ),
  );
}

/** Regrades what was corrected. */
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
