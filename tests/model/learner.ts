import { expect } from 'vitest';

// What a learner's quizzes, access and progress should be after each call, in plain JavaScript. It shares nothing
// with the service, and knows no database.

export interface ModelQuestion {
  uuid: string;
  topic: string;
  options: readonly string[];
}

interface ModelAnswer {
  answer: string;
  right: boolean;
  /** Its place among all answers of the learner; a changed answer moves. */
  at: number;
}

export interface ModelQuiz {
  id: string;
  isTest: boolean;
  instant: boolean;
  state: 'open' | 'ended' | 'cancelled';
  questions: readonly ModelQuestion[];
  answers: Map<string, ModelAnswer>;
  marked: Set<string>;
  /** Questions that count; of a practice test, which ones is said only at the end. */
  total: number;
  passMark: number | null;
  score: number | null;
}

const SET = 10;
const DAY_MS = 86_400_000;

export class ModelLearner {
  readonly quizzes: ModelQuiz[] = [];
  /** Of those that have ended, newest last. */
  readonly history: string[] = [];
  /** In milliseconds since 1970; null before the first payment. */
  expiresAt: number | null = null;
  readonly #openDrills: number;
  readonly #questionsIn: Record<string, number>;
  #answers = 0;

  /**
   * @param openDrills how many drills may be open
   * @param questionsIn how many questions the bank has in each topic
   */
  constructor(openDrills: number, questionsIn: Record<string, number>) {
    this.#openDrills = openDrills;
    this.#questionsIn = questionsIn;
  }

  get hasAccess(): boolean {
    return this.expiresAt !== null && this.expiresAt > Date.now();
  }

  /** Whole days are added to what is left, or to now. `now` is the time of the service. */
  pay(days: number, now: number): void {
    this.expiresAt = Math.max(this.expiresAt ?? 0, now) + days * DAY_MS;
  }

  open(): ModelQuiz[] {
    return this.quizzes.filter(({ state }) => state === 'open');
  }

  /** The latest answer to each question whose result was shown. */
  latest(): Map<string, ModelAnswer & { topic: string }> {
    const latest = new Map<string, ModelAnswer & { topic: string }>();
    for (const { state, instant, answers, questions } of this.quizzes) {
      if (state !== 'ended' && !instant) continue;
      for (const { uuid, topic } of questions) {
        const given = answers.get(uuid);
        if (given && given.at > (latest.get(uuid)?.at ?? -1)) latest.set(uuid, { ...given, topic });
      }
    }
    return latest;
  }

  mistakes(): string[] {
    return [...this.latest()].filter(([, { right }]) => !right).map(([uuid]) => uuid);
  }

  /** What starting a quiz should be answered with: an error's code, or how many questions at least and at most. */
  expectedStart({ topic, count }: { topic: string; count: number }): string | [number, number] {
    if (!this.hasAccess) return 'service_expired';
    if (topic === 'Praktisk prøve') return [1, Infinity];
    if (this.#surplus().length < this.#drills().length + 1 - this.#openDrills) {
      return 'too_many_open';
    }
    if (topic === 'today') return [1, Math.min(count, SET)];
    if (topic === 'mistakes') {
      const found = Math.min(this.mistakes().length, count);
      return found === 0 ? 'no_mistakes' : [found, found];
    }
    const all = topic === 'all' ? count : Math.min(count, this.#questionsIn[topic]!);
    return [all, all];
  }

  start(quiz: Omit<ModelQuiz, 'state' | 'answers' | 'marked' | 'score'>): void {
    if (!quiz.isTest) for (const one of this.#surplus()) one.state = 'cancelled';
    this.quizzes.push({
      ...quiz,
      state: 'open',
      answers: new Map(),
      marked: new Set(),
      score: null,
    });
  }

  /** Stores an answer; in a drill the first one stays. Returns the one that was there. */
  answer(quiz: ModelQuiz, uuid: string, answer: string): ModelAnswer | undefined {
    const first = quiz.answers.get(uuid);
    if (first && !quiz.isTest) return first;
    this.#answers += 1;
    quiz.answers.set(uuid, { answer, right: isRight(answer), at: this.#answers });
    return first;
  }

  end(quiz: ModelQuiz, score: number): void {
    quiz.state = 'ended';
    quiz.score = score;
    this.history.push(quiz.id);
  }

  #drills(): ModelQuiz[] {
    return this.open().filter(({ isTest }) => !isTest);
  }

  /** The oldest open drills without an answer, which make room for another. */
  #surplus(): ModelQuiz[] {
    const drills = this.#drills();
    const surplus = Math.max(0, drills.length + 1 - this.#openDrills);
    return drills.filter(({ answers }) => answers.size === 0).slice(0, surplus);
  }
}

/** The key of each question in the bank of the test begins so. */
export const isRight = (answer: string): boolean => answer.startsWith('right');

export const rightIn = ({ answers }: ModelQuiz): number =>
  [...answers.values()].filter(({ right }) => right).length;

/** A quiz as its learner may see it now. */
export function expectSeen(quiz: ModelQuiz, seen: SeenQuiz): void {
  const isRevealed = (given: unknown) =>
    quiz.state === 'ended' || (quiz.instant && given !== undefined);
  const answers = quiz.questions.flatMap(({ uuid }) => {
    const given = quiz.answers.get(uuid);
    if (!given && quiz.state !== 'ended') return [];
    const correct = isRevealed(given) ? (given?.right ?? false) : null;
    return [[uuid, { answer: given?.answer ?? '', correct }] as const];
  });
  const score = quiz.score ?? (quiz.isTest ? null : rightIn(quiz));
  expect({
    state: seen.state,
    score: seen.score,
    answers: Object.fromEntries(
      Object.entries(seen.answers).map(([uuid, { answer, correct }]) => [
        uuid,
        { answer, correct },
      ]),
    ),
    marked: seen.questions.filter(({ marked }) => marked).map(({ uuid }) => uuid),
  }).toEqual({
    state: quiz.state,
    score,
    answers: Object.fromEntries(answers),
    marked: quiz.questions.map(({ uuid }) => uuid).filter((uuid) => quiz.marked.has(uuid)),
  });
  for (const [uuid, answer] of Object.entries(seen.answers)) {
    const isShown = answer.correct_answer !== undefined;
    expect([uuid, isShown]).toEqual([uuid, isRevealed(quiz.answers.get(uuid))]);
  }
}

export interface SeenQuiz {
  id: string;
  state: string;
  score: number | null;
  total: number;
  exam: { pass_mark: number } | null;
  questions: { uuid: string; topic: string; options: string[]; marked?: boolean }[];
  answers: Record<
    string,
    { answer: string; correct: boolean | null; correct_answer?: string; counted?: boolean }
  >;
}
