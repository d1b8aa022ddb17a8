import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { isOffered } from '#languages/languages.ts';
import { optionsShown, type QuizKind } from './quiz.ts';

interface TranslationRow {
  kind: QuizKind;
  known: boolean;
  asked: boolean;
  /** As the quiz shows it. */
  shown_answer: string;
  shown_incorrect: string[];
  /** Whether the bank's version of it still has the options that the quiz shows. */
  current: boolean;
  /** Null without a translation. */
  language: string | null;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
}

/**
 * SQL over `question as other`: it is a translation of the question `original`, and in a language that
 * is offered to learners: a bank may have others. The words are those of the index question_translation.
 */
export const IS_TRANSLATION = `
  other.translation_group = original.translation_group and other.language <> original.language
  and ${isOffered('other.language')}
  and other.translation_group is not null and other.validated and other.retired_at is null`;

/**
 * A question of this account's quiz in another language, with its key; as the bank has it now. It
 * tells the key, so it is there only once that may be known. Its options are those that the quiz
 * shows, in the same order; there are none where nothing says which is which.
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
                  shown.answer as shown_answer, shown.incorrect as shown_incorrect,
                  shown.answer = original.answer and shown.incorrect = original.incorrect
                    as current,
                  translation.*
           from quiz
           left join (shown_question shown join question original on original.id = question_id)
             on shown.quiz_id = quiz.id and shown.uuid = $3
           left join quiz_answer given
             on given.quiz_id = quiz.id and given.question_id = original.id
           left join lateral (
             select other.language, question, answer, incorrect, explanation
             from question other where ${IS_TRANSLATION} and other.language = $4
             order by other.id limit 1) translation on true
           where quiz.id = $1 and quiz.account_id = $2`,
    values: [wanted.quizId, accountId, wanted.questionUuid, wanted.language],
  });
  const row = rows[0];
  if (!row) throw new AppError('quiz_not_found');
  if (!row.asked) throw new AppError('question_not_found');
  if (!row.known) throw new AppError('question_not_answered');
  const { language, question, answer, explanation } = row;
  if (language === null) throw new AppError('translation_not_found');
  const options = pairedOptions(wanted.questionUuid, row);
  return { language, question, options, answer, explanation };
}

/**
 * The wrong answers of a question and of its translation belong together by their place. An option
 * beside another one's translation would teach a wrong word: where the places cannot tell, none.
 */
function pairedOptions(uuid: string, row: TranslationRow): string[] {
  const shown = { uuid, answer: row.shown_answer, incorrect: row.shown_incorrect };
  if (!row.current || shown.incorrect.length !== row.incorrect.length) return [];
  const translated = new Map([
    [shown.answer, row.answer],
    ...shown.incorrect.map((option, place): [string, string] => [option, row.incorrect[place]!]),
  ]);
  return optionsShown(row.kind, shown).map((option) => translated.get(option)!);
}
