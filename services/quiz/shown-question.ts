import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';

// SQL expressions. `from` is the alias of a `question_version` or of the view `shown_question`.

/** The distractors that a quiz showed, best first. Needs `quiz.kind`. */
const shownDistractors = (from: string) => `
  (case quiz.kind when 'practice_test' then ${from}.incorrect[1:${PRACTICE_TEST_DISTRACTORS}]
     else ${from}.incorrect end)`;

/**
 * Whether `answer`, an SQL expression, is right by a key that was corrected after it was shown. Needs
 * `quiz.kind`.
 *
 * A practice test shows only two of the distractors. If the corrected key was not shown, no answer could be
 * right, and every answer counts as right.
 */
const isRightByCorrection = (from: string, answer: string) => `
  (case when ${from}.corrected_answer = any (${from}.answer || ${shownDistractors(from)})
     then ${answer} = ${from}.corrected_answer
     else true end)`;

/** Whether a `quiz_answer` is right by the corrected key; join `CORRECTED_VERSION`. */
export const IS_RIGHT_NOW = isRightByCorrection('old', 'quiz_answer.answer');

/** SQL join: the version of a `quiz_question`, if its key was corrected later. */
export const CORRECTED_VERSION = `
  question_version old on old.question_id = quiz_question.question_id
    and old.version = quiz_question.version and old.corrected`;

// The following need the view shown_question as `shown`: a question in the version that its quiz showed.
// Its key may have been corrected later; its options do not change.

/** The distractors that the quiz showed, best first. Needs `quiz.kind`. */
export const SHOWN_DISTRACTORS = shownDistractors('shown');

/** The current key. */
export const SHOWN_KEY = `coalesce(shown.corrected_answer, shown.answer)`;

/** Whether `answer`, an SQL expression, is right by the current key. Needs `quiz.kind`. */
export const isRight = (answer: string) => `
  (case when not shown.corrected then ${answer} = shown.answer
     else ${isRightByCorrection('shown', answer)} end)`;
