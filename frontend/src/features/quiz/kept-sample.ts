import type {
  AnswerRequest,
  AnswerResponse,
  QuizQuestion,
  QuizSession,
} from '@proveklar/contract/quiz.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import type { EndedQuestion } from './api.ts';
import { readUnsent } from './unsent-answers.ts';

/** The owner of a sample, in place of a learner's uid. */
export const SAMPLE_OWNER = 'sample';

/** A run of the free sample, stored in this tab, so that it survives a reload. */
export type KeptSample = {
  /** An id of this run, so that unsent answers of another run are not used. */
  id: string;
  questions: QuizQuestion[];
  answers: Record<string, QuizSession['answers'][string]>;
  ended: boolean;
};

const KEY = 'proveklar.sample';

export function beginSample(questions: QuizQuestion[]): KeptSample {
  return { id: randomUuid(), questions, answers: {}, ended: false };
}

export function withAnswer(
  kept: KeptSample,
  { question_id, answer }: AnswerRequest,
  answered: AnswerResponse,
): KeptSample {
  const { score: _, ...result } = answered;
  return { ...kept, answers: { ...kept.answers, [question_id]: { ...result, answer } } };
}

/** Continues with the current sample, and keeps the answers to questions that are still in it. */
export function renewSample(kept: KeptSample, questions: QuizQuestion[]): KeptSample {
  const answers = questions.flatMap(({ uuid, options }) => {
    const given = kept.answers[uuid];
    return given && options.includes(given.answer) ? [[uuid, given] as const] : [];
  });
  return { ...beginSample(questions), answers: Object.fromEntries(answers) };
}

/** The stored run; null if nothing was answered. */
export function readSample(): KeptSample | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (!isSample(kept)) return null;
    const { answers: unsent } = readUnsent({ uid: SAMPLE_OWNER, quizId: kept.id });
    return Object.keys({ ...kept.answers, ...unsent }).length > 0 ? kept : null;
  } catch {
    return null;
  }
}

export function writeSample(kept: KeptSample | null): void {
  try {
    if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked or full: the run is lost with the page.
  }
}

/** Whether it has the shape that this version of the page writes. */
function isSample(value: unknown): value is KeptSample {
  const { id, questions, answers, ended } = Object(value) as Partial<KeptSample>;
  return (
    typeof id === 'string' &&
    Array.isArray(questions) &&
    questions.length > 0 &&
    questions.every((question) => Array.isArray((Object(question) as QuizQuestion).options)) &&
    typeof answers === 'object' &&
    answers !== null &&
    typeof ended === 'boolean'
  );
}

/** The sample as a drill; `name` is shown as its topic. */
export function sampleSession(kept: KeptSample, name: string): QuizSession {
  const { id, questions, answers, ended } = kept;
  return {
    id,
    topic: name,
    language: questions[0]?.language ?? 'no',
    instant_feedback: true,
    state: ended ? 'ended' : 'open',
    // The times of a sample are not stored.
    started_at: new Date(0).toISOString(),
    ended_at: null,
    regraded_at: null,
    questions,
    answers,
    score: Object.values(answers).filter(({ correct }) => correct).length,
    total: questions.length,
    exam: null,
    auto_advance: null,
  };
}

/** A question with the key and explanation from its answer. */
export function answeredQuestion(
  { options, ...question }: QuizSession['questions'][number],
  given: QuizSession['answers'][string],
): EndedQuestion {
  const { correct_answer = '', answer: _answer, correct: _correct, ...why } = given;
  const incorrect = options.filter((option) => option !== correct_answer);
  return {
    ...question,
    explanation: null,
    source_url: null,
    ...why,
    answer: correct_answer,
    incorrect,
  };
}
