import { isRightByCorrection, shownDistractors } from './grading.ts';

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
