import type { Queryable } from '#database/pool.ts';
import { hiddenImports } from './visible.ts';

/** Which questions of the bank; what is undefined does not filter. */
export interface QuestionFilter {
  topic?: string | undefined;
  language?: string | undefined;
  validation?: 'validated' | 'pending' | undefined;
  /** Percent; never answered passes only at 0. */
  min_correct?: number | undefined;
  max_selected?: number | undefined;
  /** Text in the question, or the id or uuid of one. */
  search?: string | undefined;
  import_id?: string | undefined;
  /** Default: active. */
  state?: 'active' | 'retired' | 'all' | undefined;
  reported?: boolean | undefined;
}

/** SQL over `question`: its parameters are $1 … $n, so others may follow. */
export interface Conditions {
  where: string;
  values: unknown[];
  /** Leaves out nothing but retired questions. */
  isWhole: boolean;
}

const STATES = {
  active: 'question.retired_at is null',
  retired: 'question.retired_at is not null',
  all: 'true',
};
const STATISTICS = 'select from question_statistics where question_id = question.id';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// Statistics are kept of questions that were met: one without them has none of anything.
const IS_REPORTED = `exists (${STATISTICS} and times_reported > 0)`;

/** The conditions that a filter sets, and that rows of unfinished imports are not seen. */
export async function conditionsOf(db: Queryable, filter: QuestionFilter): Promise<Conditions> {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];

  if (filter.topic !== undefined) conditions.push(`question.topic = ${add(filter.topic)}`);
  if (filter.language !== undefined) conditions.push(`question.language = ${add(filter.language)}`);
  if (filter.validation === 'validated') conditions.push('question.validated');
  if (filter.validation === 'pending') conditions.push('not question.validated');
  if (filter.import_id !== undefined) {
    conditions.push(`question.import_id = ${add(filter.import_id)}`);
  }
  if (filter.min_correct) {
    conditions.push(`exists (${STATISTICS} and times_correct + times_incorrect > 0
      and times_correct::bigint * 100
          >= ${add(filter.min_correct)}::int * (times_correct + times_incorrect)::bigint)`);
  }
  if (filter.max_selected !== undefined) {
    conditions.push(`not exists (${STATISTICS} and times_selected > ${add(filter.max_selected)})`);
  }
  if (filter.reported !== undefined) {
    conditions.push(filter.reported ? IS_REPORTED : `not ${IS_REPORTED}`);
  }
  if (filter.search?.trim()) conditions.push(await searchCondition(db, filter.search.trim(), add));
  const hidden = await hiddenImports(db);
  if (hidden.length > 0) {
    conditions.push(
      `(question.import_id is null or question.import_id <> all (${add(hidden)}::uuid[]))`,
    );
  }
  const isWhole = conditions.length === 0;
  conditions.push(STATES[filter.state ?? 'active']);
  return { where: conditions.join(' and '), values, isWhole };
}

/** Texts that are not in the index of trigrams yet are looked through one by one. */
async function searchCondition(
  db: Queryable,
  search: string,
  add: (value: unknown) => string,
): Promise<string> {
  if (UUID.test(search)) return `question.uuid = ${add(search)}`;
  const { rows } = await db.query<{ id: string }>(
    'select id from question_import where searchable_at is null',
  );
  const text = search.normalize().replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = `casefold(${add(`%${text}%`)}::text)`;
  const found = [`select question_id from question_search where text like ${pattern}`];
  if (rows.length > 0) {
    const waiting = add(rows.map((row) => row.id));
    found.push(`select id from question where import_id = any (${waiting}::uuid[])
      and casefold(question.question) like ${pattern}`);
  }
  if (/^\d{1,15}$/.test(search)) found.push(`select ${add(search)}::bigint`);
  return `question.id in (${found.join(' union all ')})`;
}
