import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { optionsOf, PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';
import type { QuizKind } from './quiz.ts';

interface TranslationRow {
  kind: QuizKind;
  known: boolean;
  asked: boolean;
  uuid: string | null;
  language: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
}

/**
 * SQL over `question as other`: it is a translation of the question `original`, and in a language
 * that can be asked for: a bank may have others. The words are those of the index
 * question_translation.
 */
export const IS_TRANSLATION = `
  other.translation_group = original.translation_group and other.language <> original.language
  and other.language in ('no', 'en')
  and other.translation_group is not null and other.validated and other.retired_at is null`;

/**
 * A question of this account's quiz in another language, with its key; as the bank has it now. It
 * tells the key, so it is there only once that may be known. Its options are in an order of their
 * own: nothing says which of them is which of the original's.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account; `question_not_found` for a
 *   question that is not in it; `question_not_answered` while the key may not be known;
 *   `translation_not_found`
 */
export async function readTranslation(
  db: Queryable,
  accountId: string,
  wanted: { quizId: string; questionUuid: string; language: string },
) {
  const { rows } = await db.query<TranslationRow>({
    name: 'read-translation',
    text: `select quiz.kind, original.id is not null as asked,
                  quiz.state = 'ended' or (quiz.instant_feedback and given.answer is not null)
                    as known,
                  translation.*
           from quiz
           left join (quiz_question join question original on original.id = question_id)
             on quiz_question.quiz_id = quiz.id and original.uuid = $3
           left join quiz_answer given
             on given.quiz_id = quiz.id and given.question_id = original.id
           left join lateral (
             select uuid, language, question, answer, incorrect, explanation
             from question other where ${IS_TRANSLATION} and other.language = $4
             order by other.id limit 1) translation on true
           where quiz.id = $1 and quiz.account_id = $2`,
    values: [wanted.quizId, accountId, wanted.questionUuid, wanted.language],
  });
  const row = rows[0];
  if (!row) throw new AppError('quiz_not_found');
  if (!row.asked) throw new AppError('question_not_found');
  if (!row.known) throw new AppError('question_not_answered');
  const { kind, uuid, language, question, answer, incorrect, explanation } = row;
  if (uuid === null) throw new AppError('translation_not_found');
  const distractors = kind === 'practice_test' ? PRACTICE_TEST_DISTRACTORS : incorrect.length;
  const options = optionsOf({ uuid, answer, incorrect }, distractors);
  return { language, question, options, answer, explanation };
}
