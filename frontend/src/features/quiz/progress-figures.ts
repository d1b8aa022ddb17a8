import type { ProgressResponse } from '@proveklar/contract/quiz.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { HistoryItem, TopicProgress } from './api.ts';

/** As many runs as a phone shows side by side. */
const SHOWN = 20;
/** Quizzes that are summed up, and compared with as many before them. */
const COMPARED = 5;

export interface RecentResult {
  id: string;
  topic: string;
  completedAt: string;
  percent: number;
  /** What a practice test needs to be passed, in percent; null for a drill. */
  passPercent: number | null;
  passed: boolean | null;
}

/** The last runs of a history that has the newest first, the newest last. */
export function recentResults(history: readonly HistoryItem[]): RecentResult[] {
  return history
    .slice(0, SHOWN)
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
 * The share of right answers (0 to 1) in the last quizzes, and in as many before them; null where
 * there are not so many.
 */
export function trendOf(history: readonly HistoryItem[]): {
  runs: number;
  now: number;
  before: number | null;
} {
  const runs = Math.min(COMPARED, history.length);
  const before = history.slice(runs, runs * 2);
  return {
    runs,
    now: shareOf(history.slice(0, runs)),
    before: runs === COMPARED && before.length === runs ? shareOf(before) : null,
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

/**
 * What there is to practise of what was answered wrong: in the language asked for, else in another
 * one. A drill is in one language.
 */
export function mistakesOf(
  { topics }: Progress,
  preferred: string,
): { language: string; count: number } | undefined {
  return [preferred, ...new Set(topics.map(({ language }) => language))]
    .map((language) => ({
      language,
      count: topics
        .filter((topic) => topic.language === language)
        .reduce((sum, { met, right }) => sum + met - right, 0),
    }))
    .find(({ count }) => count > 0);
}

/** What needs practice most stands first; topics with too few answers come last, as they were. */
export function byStrength(topics: readonly TopicProgress[]): TopicProgress[] {
  const known = topics.filter(({ enough }) => enough);
  return [
    ...known.toSorted((a, b) => a.right / a.met - b.right / b.met || b.met - a.met),
    ...topics.filter(({ enough }) => !enough),
  ];
}

/** While a new version is rolled out, a gateway of the one before may answer, without names. */
type NamedTopic = Pick<TopicProgress, 'topic' | 'language'> & Partial<Pick<TopicProgress, 'names'>>;

/**
 * A topic as a screen in `screen` names it: in that language where the bank has a name for it, else
 * as its questions do.
 */
export function topicName(
  { topic, language, names }: NamedTopic,
  screen: AppLanguage,
): { name: string; language: string } {
  const name = names?.[screen] ?? null;
  return name === null ? { name: topic, language } : { name, language: screen };
}
