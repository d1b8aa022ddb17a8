import type { Queryable } from '#database/pool.ts';
import { languagesInBank } from '#languages/languages.ts';
import { hiddenImports } from './visible.ts';

/**
 * SQL: jumps from topic to topic in the index, over whatever state the questions are in. Ends with one that
 * is null.
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

/** What the bank can be filtered by, pending and retired questions included. */
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
