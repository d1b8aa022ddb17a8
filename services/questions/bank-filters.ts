import type { Queryable } from '#database/pool.ts';
import { hiddenImports } from './visible.ts';

// Jumps from value to value in the unique index (language, text_key): a bank has few languages.
const LANGUAGES = `
  with recursive found as (
    (select language from question where retired_at is null order by language limit 1)
    union all
    select (select language from question
            where retired_at is null and language > found.language order by language limit 1)
    from found where found.language is not null
  )
  select language from found where language is not null order by language`;

/** SQL: the same by topic, over whatever state the questions are in. Ends with one that is null. */
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
): Promise<{ topics: string[]; languages: string[] }> {
  const topics = await db.query<{ topic: string }>(TOPICS, [await hiddenImports(db)]);
  const languages = await db.query<{ language: string }>(LANGUAGES);
  return {
    topics: topics.rows.map((row) => row.topic),
    languages: languages.rows.map((row) => row.language),
  };
}
