import type { LearningResponse } from '@proveklar/contract/learning.ts';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { SET_SIZE, TODAY } from '@proveklar/contract/quiz-topics.ts';
import { formatPercent } from '#lib/format.ts';
import { drillOf } from '../drill-choices.ts';

type Figures = Pick<LearningResponse, 'today' | 'topics' | 'readiness'>;
type Compared = Pick<Figures, 'topics' | 'readiness'>;

/**
 * empty: the bank has no questions. finished: there is nothing more for today. repeat: some questions are due
 * today. new: none are, but there is more to practise: new questions, or some to repeat beyond the goal.
 */
export type TodaysState = 'empty' | 'finished' | 'repeat' | 'new';

export function todaysState({ today, topics }: Pick<Figures, 'today' | 'topics'>): TodaysState {
  if (topics.every(({ total }) => total === 0)) return 'empty';
  if (today.due > 0) return 'repeat';
  const isMore = topics.some(({ unseen, unsure }) => unseen > 0 || unsure > 0);
  return isMore ? 'new' : 'finished';
}

export const isGoalReached = ({ today }: Pick<Figures, 'today'>): boolean =>
  today.done >= today.goal;

/** Whether another set is offered as the next thing to do. */
export function offersNextSet(figures: Pick<Figures, 'today' | 'topics'>): boolean {
  const state = todaysState(figures);
  return state === 'repeat' || (state === 'new' && !isGoalReached(figures));
}

/** A chance as shown, in percent: an estimate is never certain. */
export const chancePercent = (probability: number): number =>
  Math.min(99, Math.max(1, Math.round(probability * 100)));

/** "62 %" */
export const formatChance = (probability: number, screenLanguage: string): string =>
  formatPercent(chancePercent(probability) / 100, screenLanguage);

/** Whether the answers of a set have been applied: something is different from before it. */
export function isApplied(before: Compared | undefined, now: Compared): boolean {
  if (before === undefined) return false;
  return (
    JSON.stringify(before.topics) !== JSON.stringify(now.topics) ||
    before.readiness?.answers !== now.readiness?.answers
  );
}

type ChanceChange = {
  /** first: it was not known before. */
  change: 'first' | 'higher' | 'lower' | 'same';
  before: string;
  now: string;
};

/** The chance of passing before and after a quiz, as shown; undefined until the quiz is part of it. */
export function chanceChange(
  before: Pick<Figures, 'readiness'> | undefined,
  now: Pick<Figures, 'readiness'>,
  screenLanguage: string,
): ChanceChange | undefined {
  if (!before || !now.readiness) return undefined;
  const { probability, answers } = now.readiness;
  const chance = (value: number) => formatChance(value, screenLanguage);
  if (!before.readiness) return { change: 'first', before: '', now: chance(probability) };
  if (before.readiness.answers === answers) return undefined;
  const difference = chancePercent(probability) - chancePercent(before.readiness.probability);
  return {
    change: difference === 0 ? 'same' : difference > 0 ? 'higher' : 'lower',
    before: chance(before.readiness.probability),
    now: chance(probability),
  };
}

const DAILY_GOALS = [5, 10, 20, 30, 50];

/** The goals to choose from; the API takes others too. */
export const dailyGoals = (chosen: number): number[] =>
  [...new Set([...DAILY_GOALS, chosen])].toSorted((a, b) => a - b);

const DAY_MS = 24 * 60 * 60_000;

/** The day in Europe/Oslo. The Swedish format is that of ISO days. */
const dayOf = (time: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(time);

/** Whether a time is of today's day in Europe/Oslo. */
export const isToday = (time: string, now = new Date()): boolean =>
  dayOf(new Date(time)) === dayOf(now);

/** The days from today until a day, both in Europe/Oslo; negative once it has passed. */
export function daysUntil(day: string, now = new Date()): number {
  return Math.round((Date.parse(day) - Date.parse(dayOf(now))) / DAY_MS);
}

/** The request for a set of today's practice, or of new questions of a topic. */
export const setOf = (language: string, topic = TODAY): StartQuizRequest => ({
  ...drillOf(topic, language, SET_SIZE),
  ...(topic !== TODAY && { new_first: true }),
});
