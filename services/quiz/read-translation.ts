import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { isOffered } from '#languages/languages.ts';
import type { OptionSource } from '#questions/option-order.ts';
import { reasonsFor } from '#questions/why.ts';
import { optionsShown, type QuizKind } from './quiz.ts';

interface TranslationRow {
  kind: QuizKind;
  /** Whether the learner may see the key. */
  revealed: boolean;
  in_quiz: boolean;
  /** As the quiz shows it. */
  shown_answer: string;
  shown_incorrect: string[];
  times_shown: number;
  /** Whether the question in the bank still has the options that the quiz shows. */
  current: boolean;
  /** Null without a translation. */
  language: string | null;
  question: string;
  answer: string;
  incorrect: string[];
  incorrect_reasons: (string | null)[] | null;
  explanation: string | null;
}

/**
 * SQL over `question as other`: whether it is a translation of the question `original` into a language
 * that is offered to learners; a bank may have more languages. The conditions match the partial index
 * question_translation.
 */
export const IS_TRANSLATION = `
  other.translation_group = original.translation_group and other.language <> original.language
  and ${isOffered('other.language')}
  and other.translation_group is not null and other.validated and other.retired_at is null`;

/**
 * A question of this account's quiz in another language, as it is in the bank now. It contains the key, so
 * it is available only once the key may be revealed. Its options have the order in which the quiz shows
 * them; the list is empty where they cannot be paired.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account; `question_not_found` for a
 *   question that is not in the quiz; `question_not_answered` while the key may not be revealed;
 *   `translation_not_found`
 */
export async function readTranslation(
  db: Queryable,
  accountId: string,
  request: { quizId: string; questionUuid: string; language: string },
) {
  const { rows } = await db.query<TranslationRow>({
    name: 'read-translation',
    text: `select quiz.kind, original.id is not null as in_quiz,
                  quiz.state = 'ended' or (quiz.instant_feedback and given.answer is not null)
                    as revealed,
                  shown.answer as shown_answer, shown.incorrect as shown_incorrect,
                  asked.times_shown,
                  shown.answer = original.answer and shown.incorrect = original.incorrect
                    as current,
                  translation.*
           from quiz
           left join (shown_question shown join question original on original.id = question_id)
             on shown.quiz_id = quiz.id and shown.uuid = $3
           left join quiz_question asked
             on asked.quiz_id = quiz.id and asked.question_id = original.id
           left join quiz_answer given
             on given.quiz_id = quiz.id and given.question_id = original.id
           left join lateral (
             select other.language, question, answer, incorrect, incorrect_reasons, explanation
             from question other where ${IS_TRANSLATION} and other.language = $4
             order by other.id limit 1) translation on true
           where quiz.id = $1 and quiz.account_id = $2`,
    values: [request.quizId, accountId, request.questionUuid, request.language],
  });
  const row = rows[0];
  if (!row) throw new AppError('quiz_not_found');
  if (!row.in_quiz) throw new AppError('question_not_found');
  if (!row.revealed) throw new AppError('question_not_answered');
  const { language, question, answer, explanation } = row;
  if (language === null) throw new AppError('translation_not_found');
  const shown = {
    uuid: request.questionUuid,
    answer: row.shown_answer,
    incorrect: row.shown_incorrect,
    times_shown: row.times_shown,
  };
  const options = row.current ? pairOptions(shown, row, optionsShown(row.kind, shown)) : [];
  return { language, question, options, answer, explanation, reasons: reasonsFor(row, options) };
}

type Options = Pick<OptionSource, 'answer' | 'incorrect'>;

/**
 * The shown options in the other language. The distractors of a question and its translation are paired by
 * their position. A wrong pair would teach a wrong word, so there are no options where the positions are
 * not reliable.
 */
export function pairOptions(
  original: Options,
  translation: Options,
  shown: readonly string[],
): string[] {
  if (original.incorrect.length !== translation.incorrect.length) return [];
  const translated = new Map([
    [original.answer, translation.answer],
    ...original.incorrect.map((option, place): [string, string] => [
      option,
      translation.incorrect[place]!,
    ]),
  ]);
  return shown.map((option) => translated.get(option)!);
}
