import type { ProgressResponse } from '@proveklar/contract/quiz.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { HistoryItem, TopicProgress } from './api.ts';

/** The number of results that fit on a phone. */
const MAX_RESULTS = 20;
/** The number of quizzes that are averaged, and compared with as many before them. */
const TREND_SIZE = 5;

export interface RecentResult {
  id: string;
  topic: string;
  completedAt: string;
  percent: number;
  /** The pass mark of a practice test in percent; null for a drill. */
  passPercent: number | null;
  passed: boolean | null;
}

/** The last results of a history, in chronological order. */
export function recentResults(history: readonly HistoryItem[]): RecentResult[] {
  return history
    .slice(0, MAX_RESULTS)
    .map((run) => ({
      id: run.id,
      topic: run.topic,
      completedAt: run.completed_at,
      percent: percentage(run.correct_answers, run.total_questions).percent,
      passPercent:
        run.pass_mark === null ? null : percentage(run.pass_mark, run.total_questions).percent,
      passed: run.passed,
    }))
    .toReversed();
}

/**
 * The share of right answers (0 to 1) in the last quizzes, and in as many before them; null if there are
 * too few.
 */
export function trendOf(history: readonly HistoryItem[]): {
  runs: number;
  now: number;
  before: number | null;
} {
  const runs = Math.min(TREND_SIZE, history.length);
  const before = history.slice(runs, runs * 2);
  return {
    runs,
    now: shareOf(history.slice(0, runs)),
    before: runs === TREND_SIZE && before.length === runs ? shareOf(before) : null,
  };
}

function shareOf(runs: readonly HistoryItem[]): number {
  const sum = (read: (run: HistoryItem) => number) =>
    runs.reduce((total, run) => total + read(run), 0);
  const total = sum((run) => run.total_questions);
  return total === 0 ? 0 : sum((run) => run.correct_answers) / total;
}

/** The share of right answers in whole percent, and whether it is excellent: above 90, as shown. */
export function percentage(
  correct: number,
  total: number,
): { percent: number; excellent: boolean } {
  const percent = total > 0 ? Math.round((correct * 100) / total) : 0;
  return { percent, excellent: percent > 90 };
}

type Progress = Pick<ProgressResponse, 'topics' | 'weakest'>;

/** The mistakes to practise, for each language that has some, the preferred one first. A drill has one language. */
export function mistakesOf(
  { topics }: Progress,
  preferred: string,
): { language: string; count: number }[] {
  return [...new Set([preferred, ...topics.map(({ language }) => language)])]
    .map((language) => ({
      language,
      count: topics
        .filter((topic) => topic.language === language)
        .reduce((sum, { met, right }) => sum + met - right, 0),
    }))
    .filter(({ count }) => count > 0);
}

/** The topics of a language with mistakes, and how many: the most first. */
export const mistakesByTopic = ({ topics }: Progress, language: string) =>
  topics
    .filter((topic) => topic.language === language && topic.right < topic.met)
    .map((topic) => ({ ...topic, mistakes: topic.met - topic.right }))
    .toSorted((a, b) => b.mistakes - a.mistakes);

/** The topics with an answer, and those of a language that have none. */
export function withUnmet(
  topics: readonly ShownTopic[],
  { language, topics: all }: { language: string; topics: readonly { topic: string }[] },
): ShownTopic[] {
  const met = new Set(topics.filter((one) => one.language === language).map(({ topic }) => topic));
  const unmet = all.filter(({ topic }) => !met.has(topic));
  return [
    ...topics,
    ...unmet.map(({ topic }) => ({ topic, language, met: 0, right: 0, enough: false })),
  ];
}

/**
 * The topics of the preferred language before those of other languages. In each, the weakest topic first; topics
 * with too few answers last, in their original order.
 */
export function byStrength<T extends ShownTopic>(topics: readonly T[], preferred: string): T[] {
  const known = topics.filter(({ enough }) => enough);
  const ordered = [
    ...known.toSorted((a, b) => a.right / a.met - b.right / b.met || b.met - a.met),
    ...topics.filter(({ enough }) => !enough),
  ];
  const isOther = ({ language }: T) => Number(language !== preferred);
  return ordered.toSorted((a, b) => isOther(a) - isOther(b));
}

/** A topic without an answer has no names, nor has one from a gateway of the previous version. */
type NamedTopic = Pick<TopicProgress, 'topic' | 'language'> & Partial<Pick<TopicProgress, 'names'>>;
export type ShownTopic = NamedTopic & Pick<TopicProgress, 'met' | 'right' | 'enough'>;

/**
 * The name of a topic on a page in language `screen`: in that language if the bank has a name, else in
 * the language of its questions.
 */
export function topicName(
  { topic, language, names }: NamedTopic,
  screen: AppLanguage,
): { name: string; language: string } {
  const name = names?.[screen] ?? null;
  return name === null ? { name: topic, language } : { name, language: screen };
}
