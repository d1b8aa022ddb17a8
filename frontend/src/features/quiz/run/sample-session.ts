import type { QuizSession } from '@proveklar/contract/quiz.ts';
import type { EndedQuestion } from '../api.ts';
import type { KeptSample } from './kept-sample.ts';

/** The sample as the drill that it is; `name` stands where a drill has its topic. */
export function sampleSession(kept: KeptSample, name: string): QuizSession {
  const { id, questions, answers, ended } = kept;
  return {
    id,
    topic: name,
    language: questions[0]?.language ?? 'no',
    instant_feedback: true,
    state: ended ? 'ended' : 'open',
    // Nobody keeps its times.
    started_at: new Date(0).toISOString(),
    ended_at: null,
    regraded_at: null,
    questions,
    answers,
    score: Object.values(answers).filter(({ correct }) => correct).length,
    total: questions.length,
    exam: null,
  };
}

/** A question with what its answer told. */
export function answeredQuestion(
  { options, ...question }: QuizSession['questions'][number],
  { correct_answer = '', explanation = null, source_url = null }: QuizSession['answers'][string],
): EndedQuestion {
  const incorrect = options.filter((option) => option !== correct_answer);
  return { ...question, answer: correct_answer, incorrect, explanation, source_url };
}
