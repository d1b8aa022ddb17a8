import { AppError } from '#errors/app-error.ts';
import { optionsOf } from '#questions/option-order.ts';
import type { SampleQuestion } from './read-sample.ts';

/**
 * Judges an answer to a question of the sample, and of that alone: it must not tell the keys of the
 * bank. Nothing is stored, and nothing is counted: whoever has no account may answer the same question
 * a hundred times, and the figures of a question would then tell nothing about it.
 *
 * @throws AppError `question_not_in_quiz` when the question is not, or no longer, in the sample;
 *   `answer_not_an_option`
 */
export function answerSample(
  sample: readonly SampleQuestion[],
  given: { questionUuid: string; answer: string },
) {
  const question = sample.find(({ uuid }) => uuid === given.questionUuid);
  if (!question) throw new AppError('question_not_in_quiz', { details: { field: 'question_id' } });
  if (!optionsOf(question).includes(given.answer)) {
    throw new AppError('answer_not_an_option', { details: { field: 'answer' } });
  }
  return {
    // Nobody keeps the answers but the page itself.
    score: null,
    correct: given.answer === question.answer,
    correct_answer: question.answer,
    explanation: question.explanation,
    source_url: question.source_url,
  };
}
