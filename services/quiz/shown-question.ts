import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';

// SQL over the view shown_question as `shown`: a question in the version that its quiz showed. Its
// key may have been found wrong later; its options stay what they were.

/** The wrong answers as the quiz showed them, best distractors first. It needs `quiz.kind`. */
export const SHOWN_DISTRACTORS = `
  (case quiz.kind when 'practice_test' then shown.incorrect[1:${PRACTICE_TEST_DISTRACTORS}]
     else shown.incorrect end)`;

/** The key as it is known by now. */
export const SHOWN_KEY = `coalesce(shown.corrected_answer, shown.answer)`;

/**
 * Whether an answer, an SQL expression, is right. Where the right one was not among the options,
 * every answer is: see `grading.ts`.
 */
export const isRight = (answer: string) => `
  (case when not shown.corrected then ${answer} = shown.answer
     when shown.corrected_answer = any (shown.answer || ${SHOWN_DISTRACTORS})
     then ${answer} = shown.corrected_answer
     else true end)`;
