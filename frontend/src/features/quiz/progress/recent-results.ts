import type { HistoryItem } from '../api.ts';
import { percentage } from '../history/percentage.ts';

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
