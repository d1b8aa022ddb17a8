import type { QuestionState, ValidationState } from '@proveklar/contract/questions.ts';
import type { Queryable } from '#database/pool.ts';
import { languagesInBank } from '#languages/languages.ts';

/** A filter for the questions of the bank; undefined fields do not filter. */
export interface QuestionFilter {
  topic?: string | undefined;
  language?: string | undefined;
  validation?: ValidationState | undefined;
  /** Percent. A question without answers matches only 0. */
  min_correct?: number | undefined;
  max_selected?: number | undefined;
  /** A part of a text or a tag, an id, or a uuid. */
  search?: string | undefined;
  import_id?: string | undefined;
  /** Default: active. */
  state?: QuestionState | undefined;
  reported?: boolean | undefined;
}

/** An SQL condition over `question`. Its parameters are $1 to $n; further ones may follow. */
export interface Conditions {
  where: string;
  values: unknown[];
  /** Whether the filter uses statistics: its matches then change without a change of any question. */
  usesStatistics: boolean;
  /** Whether it is a text search, which costs the same for a part of the bank as for all of it. */
  isSearch: boolean;
}

const STATES = {
  active: 'question.retired_at is null',
  retired: 'question.retired_at is not null',
  all: 'true',
};

const STATISTICS = 'select from question_statistics where question_id = question.id';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conditions of a filter, and the one that hides rows of unfinished imports. */
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
  conditions.push(...statisticsConditions(filter, add));
  if (filter.search?.trim()) conditions.push(await searchCondition(db, filter.search.trim(), add));
  const hidden = await hiddenImports(db);
  if (hidden.length > 0) {
    conditions.push(
      `(question.import_id is null or question.import_id <> all (${add(hidden)}::uuid[]))`,
    );
  }
  conditions.push(STATES[filter.state ?? 'active']);
  const where = conditions.join(' and ');
  const isSearch = Boolean(filter.search?.trim());
  return { where, values, usesStatistics: where.includes(STATISTICS), isSearch };
}

/** Only questions that were drawn, answered or reported have statistics; without them, all counts are 0. */
function statisticsConditions(
  { min_correct, max_selected, reported }: QuestionFilter,
  add: (value: unknown) => string,
): string[] {
  const has: string[] = [];
  const hasNot: string[] = [];
  if (min_correct) {
    has.push(`times_correct + times_incorrect > 0 and times_correct::bigint * 100
      >= ${add(min_correct)}::int * (times_correct + times_incorrect)::bigint`);
  }
  if (reported) has.push('times_reported > 0');
  if (reported === false) hasNot.push('times_reported > 0');
  if (max_selected !== undefined) hasNot.push(`times_selected > ${add(max_selected)}`);
  // One lookup for all conditions: one for each would multiply the time.
  if (has.length > 0) {
    const all = [...has, ...hasNot.map((condition) => `not ${condition}`)];
    return [`exists (${STATISTICS} and ${all.join(' and ')})`];
  }
  return hasNot.length > 0 ? [`not exists (${STATISTICS} and (${hasNot.join(' or ')}))`] : [];
}

/** Searches the trigram index; the texts of imports that are not indexed yet are scanned. */
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
  const matches = [`select question_id from question_search where text like ${pattern}`];
  if (rows.length > 0) {
    const unindexed = add(rows.map((row) => row.id));
    matches.push(`select id from question one where import_id = any (${unindexed}::uuid[])
      and searched_text(one) like ${pattern}`);
  }
  if (/^\d{1,15}$/.test(search)) matches.push(`select ${add(search)}::bigint`);
  return `question.id in (${matches.join(' union all ')})`;
}

/**
 * SQL: each topic of the bank once, whatever the state of its questions; the last row is null. A loose
 * index scan: it jumps from topic to topic in the index.
 */
export const EACH_TOPIC = `
  with recursive found as (
    (select topic from question order by topic limit 1)
    union all
    select (select topic from question where topic > found.topic order by topic limit 1)
    from found where found.topic is not null
  )
  select topic from found`;

const TOPICS = `
  ${EACH_TOPIC}
  where topic is not null and exists (
    select from question where topic = found.topic
      and (import_id is null or import_id <> all ($1::uuid[])))
  order by topic collate "nb-x-icu"`;

/** The topics and languages to filter the bank by, including those of pending and retired questions. */
export async function bankFilters(
  db: Queryable,
): Promise<{ topics: string[]; languages: string[]; languages_not_offered: string[] }> {
  const topics = await db.query<{ topic: string }>(TOPICS, [await hiddenImports(db)]);
  const languages = await languagesInBank(db);
  return {
    topics: topics.rows.map((row) => row.topic),
    languages: languages.map(({ code }) => code),
    languages_not_offered: languages.filter(({ offered }) => !offered).map(({ code }) => code),
  };
}

/** How many active questions each topic has, by language. Reads the whole bank, so call it rarely. */
export async function countTopics(
  db: Queryable,
): Promise<{ topic: string; language: string; questions: number; pending: number }[]> {
  const { rows } = await db.query<{
    topic: string;
    language: string;
    questions: number;
    pending: number;
  }>(
    `select topic, language, count(*)::int as questions,
            (count(*) filter (where not validated))::int as pending
     from question
     where retired_at is null and (import_id is null or import_id <> all ($1::uuid[]))
     group by topic, language order by topic collate "nb-x-icu", topic, language`,
    [await hiddenImports(db)],
  );
  return rows;
}

/**
 * The imports whose rows are in the bank but must not be visible: those that have not completed or were
 * refused. The questions of an import that is being or was undone stay visible while they exist: they are
 * retired questions that quizzes refer to.
 */
export async function hiddenImports(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where state <> 'completed' and state not in ('undoing', 'undone') and removed_at is null`,
  );
  return rows.map((row) => row.id);
}

/** SQL: whether a row of `question` is visible; for queries of a single question. */
export const IS_VISIBLE = `
  not exists (select from question_import
    where question_import.id = question.import_id
      and state <> 'completed' and state not in ('undoing', 'undone'))`;
