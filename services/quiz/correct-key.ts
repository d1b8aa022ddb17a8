import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import { requestRegrade } from './regrade-question.ts';
import { type LockedQuestion, lockQuestion } from '#questions/lock-question.ts';

interface KeyCorrection {
  /** The question's id or uuid. */
  question: number | string;
  /** The version that the administrator looked at. */
  version: number;
  /** The new key: one of the distractors. */
  answer: string;
  actor: Actor;
}

type QuestionRow = Pick<LockedQuestion, 'id' | 'version' | 'answer' | 'incorrect'>;

/**
 * Makes a distractor the key, and the key a distractor in its place: which distractors a practice
 * test shows stays as it was. What the question was is kept as a version whose key was wrong, and the
 * quizzes that showed it are regraded in the background.
 *
 * @returns the question as it is now, the regrade's id, and how many quizzes it is about
 * @throws AppError `question_not_found`, `question_changed` when it has another version by now,
 *   `answer_not_an_option`
 */
export async function correctKey(db: Database, correction: KeyCorrection) {
  const { version, answer, actor } = correction;
  return withTransaction(db, async (tx) => {
    const question = await lockQuestion(tx, correction.question);
    if (question.version !== version) {
      throw new AppError('question_changed', { details: { version: question.version } });
    }
    if (!question.incorrect.includes(answer)) {
      throw new AppError('answer_not_an_option', { details: { field: 'answer' } });
    }
    await keepVersions(tx, question, answer, actor);
    const corrected = await swapKey(tx, question.id, answer);
    await recordAction(tx, {
      actor,
      action: 'question.key_corrected',
      subject: String(question.id),
      details: { version: corrected.version, before: question.answer, after: answer },
    });
    const regradeId = await requestRegrade(tx, question.id);
    await emit(tx, 'question.key_corrected', { question_id: question.id, regrade_id: regradeId });
    const quizzes = await countAffected(tx, question.id);
    return { ...corrected, quizzes, regrade_id: regradeId };
  });
}

/** Keeps the version as one with a wrong key, and marks those before it that had the same fault. */
async function keepVersions(
  tx: Transaction,
  question: QuestionRow,
  answer: string,
  actor: Actor,
): Promise<void> {
  await tx.query(
    `update question_version set corrected = true, corrected_answer = $2
     where question_id = $1
       and case when corrected then corrected_answer else answer end = $3
       and (answer || incorrect) @> $4::text[] and (answer || incorrect) <@ $4::text[]`,
    [question.id, answer, question.answer, [question.answer, ...question.incorrect]],
  );
  await tx.query(
    `insert into question_version
       (question_id, version, language, topic, question, answer, incorrect, explanation, source_url,
        checked_at, corrected, corrected_answer, replaced_by)
     select id, version, language, topic, question, answer, incorrect, explanation, source_url,
            checked_at, true, $2, $3
     from question where id = $1`,
    [question.id, answer, nameOf(actor)],
  );
}

async function swapKey(tx: Transaction, id: number, answer: string): Promise<QuestionRow> {
  const { rows } = await tx.query<QuestionRow>(
    `update question
     set answer = $2, incorrect = array_replace(incorrect, $2, answer), version = version + 1
     where id = $1 returning id, version, answer, incorrect`,
    [id, answer],
  );
  return rows[0]!;
}

async function countAffected(tx: Transaction, id: number): Promise<number> {
  const { rows } = await tx.query<{ quizzes: number }>(
    `select count(*)::int as quizzes
     from quiz_question asked join question_version old
       on old.question_id = asked.question_id and old.version = asked.version and old.corrected
     where asked.question_id = $1`,
    [id],
  );
  return rows[0]!.quizzes;
}
