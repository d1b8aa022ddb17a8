import { MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';

/** Asked for in place of a topic: the official-style test, as the specification names it. */
export const PRACTICE_TEST = 'Praktisk prøve';
/** Asked for in place of a topic: a drill over all of them. */
export const ALL_TOPICS = 'all';
/** Asked for in place of a topic: a drill of what the learner has got wrong. */
export const MISTAKES = 'mistakes';
/** What no topic of the bank may be called. */
export const RESERVED_TOPICS: readonly string[] = [PRACTICE_TEST, ALL_TOPICS, MISTAKES];

// Jumps from topic to topic in the index: the cost is that of the topics, not of the questions.
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

/** An entry of the indexes that have the topic holds 2,704 bytes, the language and two numbers included. */
const MAX_TOPIC_BYTES = 2500;

/** Whether a topic, as it would be stored, has too many characters, or too many bytes in UTF-8. */
export function isTopicTooLong(topic: string): boolean {
  // No character of JavaScript's, of which a code point has one or two, has more than three bytes.
  if (topic.length * 3 <= MAX_TOPIC_BYTES) return false;
  return Buffer.byteLength(topic) > MAX_TOPIC_BYTES || Array.from(topic).length > MAX_TOPIC_LENGTH;
}

/**
 * The topics of one language that have a validated question, in Norwegian alphabetical order; none of a
 * language that learners are not offered.
 */
export async function listTopics(db: Queryable, language: string): Promise<string[]> {
  const { rows } = await db.query<{ topic: string }>({
    name: 'list-topics',
    text: TOPICS,
    values: [language],
  });
  return rows.map((row) => row.topic);
}
