import type { Transaction } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { addToRuns, type Batch, type LanguageRun, lineOf } from './batch-rows.ts';
import type { RowRemark } from './clean-row.ts';

// The warnings about rows of a batch, as they are stored with it.

/** Consecutive rows with the same warning, whose lines are `step` apart. */
export interface WarningRun extends RowRemark {
  row: number;
  count: number;
  line: number | null;
  step: number;
}

/**
 * Finds the inserted rows of a batch whose language is not offered to learners, and counts them by
 * language.
 *
 * @param leftOut rows that were not inserted
 */
export async function findNotOffered(
  tx: Transaction,
  { languages }: Batch,
  leftOut: ReadonlySet<number>,
): Promise<{ runs: LanguageRun[]; counts: Record<string, number> }> {
  const codes = new Set(languages.map(({ language }) => language));
  const { rows } = await tx.query<{ code: string }>({
    name: 'find-not-offered',
    text: `select code from unnest($1::text[]) as given (code) where not ${isOffered('given.code')}`,
    values: [[...codes]],
  });
  if (rows.length === 0) return { runs: [], counts: {} };
  const notOffered = new Set(rows.map(({ code }) => code));
  const runs: LanguageRun[] = [];
  const counts: Record<string, number> = {};
  for (const { language, first, last } of languages) {
    if (!notOffered.has(language)) continue;
    for (let row = first; row <= last; row += 1) {
      if (leftOut.has(row)) continue;
      addToRuns(runs, row, language);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  }
  return { runs, counts };
}

/** The warnings about languages that are not offered. */
export function languageRemarks(runs: readonly LanguageRun[]): Batch['remarks'] {
  return runs.flatMap(({ language, first, last }) => {
    const reason = 'language_not_offered' as const;
    const remark = { field: 'language', reason, value: language, cleaned: false };
    return Array.from({ length: last - first + 1 }, (_, place) => ({ row: first + place, remark }));
  });
}

/** A file may have the same warning in each of a million rows, so they are stored as runs. */
export function toWarningRuns(batch: Batch, remarks: Batch['remarks']): WarningRun[] {
  const runs: WarningRun[] = [];
  /** The last run of each warning. */
  const lasts = new Map<string, WarningRun>();
  for (const { row, remark } of remarks) {
    const key = `${remark.field} ${remark.reason} ${remark.value ?? ''}`;
    const last = lasts.get(key);
    const line = lineOf(batch, row);
    if (last && extendsRun(last, row, line)) {
      if (last.count === 1) last.step = line === null ? 0 : line - last.line!;
      last.count += 1;
      continue;
    }
    const run = { ...remark, row, count: 1, line, step: 1 };
    runs.push(run);
    lasts.set(key, run);
  }
  return runs;
}

function extendsRun(run: WarningRun, row: number, line: number | null): boolean {
  if (row !== run.row + run.count) return false;
  if (line === null || run.line === null) return line === run.line;
  return run.count === 1 || line === run.line + run.count * run.step;
}
