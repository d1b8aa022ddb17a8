import type { Exam, QuizState } from '@proveklar/contract/quiz.ts';
import {
  optionsOf,
  type OptionSource,
  PRACTICE_TEST_DISTRACTORS,
} from '#questions/option-order.ts';
import { toAskedQuestion } from '#questions/asked-question.ts';
import type { StoredPicture } from '#questions/picture.ts';
import { type StoredWhy, toWhy } from '#questions/why.ts';

export type QuizKind = 'drill' | 'practice_test';

export interface QuizRow {
  id: string;
  kind: QuizKind;
  topic: string;
  language: string;
  instant_feedback: boolean;
  state: QuizState;
  started_at: Date;
  ended_at: Date | null;
  /** Null for a drill, and for a practice test without a clock. */
  deadline_at: Date | null;
  /** Until the deadline by the database's clock, at least 0; null without a deadline, or when not open. */
  seconds_left: number | null;
  score: number | null;
  total: number;
  exam: Exam | null;
  pass_mark: number | null;
  /** When a corrected key last changed the score. */
  regraded_at: Date | null;
  /** The learner's choice for every quiz; null until they have chosen. */
  auto_advance: boolean | null;
}

/** A question of a quiz, with the learner's answer to it where there is one. */
export interface QuizQuestionRow extends OptionSource, StoredWhy, StoredPicture {
  id: number;
  question: string;
  /** The current key; `answer` is the key when the quiz was drawn. */
  key: string;
  topic: string;
  language: string;
  counted: boolean;
  /** How often the learner was shown it before the quiz was drawn; 0 except in repetition. */
  times_shown: number;
  /** Flagged by the learner, to come back to it. */
  marked: boolean;
  /** The other offered languages in which the bank has the question. */
  translations: string[];
  given_answer: string | null;
  given_correct: boolean | null;
}

/**
 * The quiz as its learner may see it. The key and the explanation of a question are revealed after its
 * answer with instant feedback, otherwise when the quiz has ended.
 */
export function toSession(quiz: QuizRow, questions: QuizQuestionRow[]) {
  return {
    id: quiz.id,
    topic: quiz.topic,
    language: quiz.language,
    instant_feedback: quiz.instant_feedback,
    state: quiz.state,
    started_at: quiz.started_at.toISOString(),
    ended_at: quiz.ended_at?.toISOString() ?? null,
    regraded_at: quiz.regraded_at?.toISOString() ?? null,
    questions: questions.map((question) => toShownQuestion(quiz.kind, question)),
    answers: Object.fromEntries(
      questions.flatMap((question) => {
        const answer = toAnswer(quiz, question);
        return answer ? [[question.uuid, answer]] : [];
      }),
    ),
    score: scoreSoFar(quiz, questions),
    total: quiz.total,
    exam: toExam(quiz),
    auto_advance: quiz.auto_advance,
  };
}

function toShownQuestion(kind: QuizKind, question: QuizQuestionRow) {
  return { ...toAskedQuestion(question, optionsShown(kind, question)), marked: question.marked };
}

function scoreSoFar(quiz: QuizRow, questions: QuizQuestionRow[]): number | null {
  if (quiz.score !== null) return quiz.score;
  if (quiz.kind === 'practice_test') return null;
  return questions.filter((question) => question.given_correct).length;
}

function toExam(quiz: QuizRow) {
  if (quiz.exam === null || quiz.pass_mark === null) return null;
  return {
    name: quiz.exam,
    pass_mark: quiz.pass_mark,
    counted_questions: quiz.total,
    deadline_at: quiz.deadline_at?.toISOString() ?? null,
    minutes: minutesOf(quiz),
    seconds_left: quiz.seconds_left,
    passed: quiz.score === null ? null : quiz.score >= quiz.pass_mark,
  };
}

/** The time for the whole quiz in minutes; null without a clock. */
function minutesOf({ started_at, deadline_at }: QuizRow): number | null {
  if (deadline_at === null) return null;
  return Math.round((deadline_at.getTime() - started_at.getTime()) / 60_000);
}

/** The options of a question as a quiz of this kind shows them. */
export function optionsShown(
  kind: QuizKind,
  question: OptionSource & { times_shown: number },
): string[] {
  const distractors = kind === 'practice_test' ? PRACTICE_TEST_DISTRACTORS : undefined;
  return optionsOf(question, distractors, question.times_shown);
}

/** The answer to a question, with as much as its learner may see now; null without an answer. */
export function toAnswer(
  quiz: Pick<QuizRow, 'kind' | 'state' | 'instant_feedback'>,
  question: Omit<QuizQuestionRow, 'id' | 'translations' | 'marked' | keyof StoredPicture>,
) {
  const answered = question.given_answer !== null;
  if (quiz.state === 'ended' || (quiz.instant_feedback && answered)) {
    return {
      // Which questions do not count is revealed only after hand-in.
      ...(quiz.state === 'ended' && { counted: question.counted }),
      answer: question.given_answer ?? '',
      correct: question.given_correct ?? false,
      correct_answer: question.key,
      ...toWhy(
        question,
        optionsShown(quiz.kind, question).filter((option) => option !== question.key),
      ),
    };
  }
  return answered ? { answer: question.given_answer ?? '', correct: null } : null;
}
