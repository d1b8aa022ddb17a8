import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';

/**
 * SQL: whether an answer is right by a key that was corrected after it was shown. It needs
 * `quiz.kind`, a `question_version` as `old`, and the answer's text as `quiz_answer.answer`.
 *
 * A practice test shows two of the distractors. Where the right one was not among them, nobody could
 * be right, and every answer counts as right.
 */
export const IS_RIGHT_NOW = `
  (case
     when old.corrected_answer = any (old.answer || case quiz.kind
       when 'practice_test' then old.incorrect[1:${PRACTICE_TEST_DISTRACTORS}]
       else old.incorrect end)
     then quiz_answer.answer = old.corrected_answer
     else true end)`;

/** SQL: joins the corrected version that a question of a quiz was shown in, if it was. */
export const CORRECTED_VERSION = `
  question_version old on old.question_id = quiz_question.question_id
    and old.version = quiz_question.version and old.corrected`;
