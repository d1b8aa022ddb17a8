import { MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';

// A loose index scan jumps from topic to topic: the cost depends on the topics, not on the questions.
const TOPICS = `
  with recursive topics as (
    (select topic from question
     where language = $1 and validated and retired_at is null and ${isOffered('$1')}
     order by topic limit 1)
    union all
    select (select topic from question
            where language = $1 and topic > topics.topic and validated and retired_at is null
            order by topic limit 1)
    from topics where topics.topic is not null
  )
  select topic from topics where topic is not null order by topic collate "nb-x-icu"`;

/** An index entry holds 2,704 bytes: topic, language and two numbers. */
const MAX_TOPIC_BYTES = 2500;

/** Whether a normalized topic has too many characters, or too many bytes in UTF-8. */
export function isTopicTooLong(topic: string): boolean {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (topic.length * 3 <= MAX_TOPIC_BYTES) return false;
  return Buffer.byteLength(topic) > MAX_TOPIC_BYTES || Array.from(topic).length > MAX_TOPIC_LENGTH;
}

/**
 * The topics of a language with a validated question, in Norwegian alphabetical order; empty for a
 * language that is not offered to learners.
 */
export async function listTopics(db: Queryable, language: string): Promise<string[]> {
  const { rows } = await db.query<{ topic: string }>({
    name: 'list-topics',
    text: TOPICS,
    values: [language],
  });
  return rows.map((row) => row.topic);
}

/** Questions of a topic whose translations are looked at. */
const PAIRED_QUESTIONS = 10;

const PAIRS = `
  select known.topic, other.topic as original, count(*)::int as questions
  from unnest($1::text[]) as known (topic)
  cross join lateral (
    select translation_group from question
    where language = $2 and topic = known.topic and validated and retired_at is null
    order by draw_key limit ${PAIRED_QUESTIONS}) translated
  join question other on other.translation_group = translated.translation_group
    and other.translation_group is not null and other.language = $3
    and other.validated and other.retired_at is null
  group by known.topic, other.topic order by questions desc, known.topic`;

/**
 * The names that topics of the language `from` have in the language `to`, by the translations of questions: the bank
 * links these, and not topics. A topic without translated questions has none.
 */
export async function pairTopics(
  db: Queryable,
  { from, to }: { from: string; to: string },
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ topic: string; original: string }>({
    name: 'pair-topics',
    text: PAIRS,
    values: [await listTopics(db, to), to, from],
  });
  // The last entry of a key counts: the name with the most questions.
  return new Map(rows.toReversed().map(({ topic, original }) => [original, topic]));
}
