import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';

// SQL over `from`: the name of a `question_version`, or of the view `shown_question`.

/** The wrong answers as a quiz showed them, best distractors first. It needs `quiz.kind`. */
const shownDistractors = (from: string) => `
  (case quiz.kind when 'practice_test' then ${from}.incorrect[1:${PRACTICE_TEST_DISTRACTORS}]
     else ${from}.incorrect end)`;

/**
 * Whether an answer, an SQL expression, is right by a key that was corrected after it was shown. It
 * needs `quiz.kind`.
 *
 * A practice test shows two of the distractors. Where the right one was not among them, nobody could
 * be right, and every answer counts as right.
 */
const isRightByCorrection = (from: string, answer: string) => `
  (case when ${from}.corrected_answer = any (${from}.answer || ${shownDistractors(from)})
     then ${answer} = ${from}.corrected_answer
     else true end)`;

/** The same of `quiz_answer`, where `CORRECTED_VERSION` is joined. */
export const IS_RIGHT_NOW = isRightByCorrection('old', 'quiz_answer.answer');

/** Joins the corrected version that a question of a quiz was shown in, if it was. */
export const CORRECTED_VERSION = `
  question_version old on old.question_id = quiz_question.question_id
    and old.version = quiz_question.version and old.corrected`;

// SQL over the view shown_question as `shown`: a question in the version that its quiz showed. Its
// key may have been found wrong later; its options stay what they were.

/** The wrong answers as the quiz showed them, best distractors first. It needs `quiz.kind`. */
export const SHOWN_DISTRACTORS = shownDistractors('shown');

/** The key as it is known by now. */
export const SHOWN_KEY = `coalesce(shown.corrected_answer, shown.answer)`;

/** Whether an answer, an SQL expression, is right. It needs `quiz.kind`. */
export const isRight = (answer: string) => `
  (case when not shown.corrected then ${answer} = shown.answer
     else ${isRightByCorrection('shown', answer)} end)`;
