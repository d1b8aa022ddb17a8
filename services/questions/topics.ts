import { MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';

/** In place of a topic: a practice test. The name is given by the specification. */
export const PRACTICE_TEST = 'Praktisk prøve';
/** In place of a topic: a drill over all topics. */
export const ALL_TOPICS = 'all';
/** In place of a topic: a drill of the learner's mistakes. */
export const MISTAKES = 'mistakes';
/** In place of a topic: today's practice. */
export const TODAY = 'today';
/** Names that no topic of the bank may have. */
export const RESERVED_TOPICS: readonly string[] = [PRACTICE_TEST, ALL_TOPICS, MISTAKES, TODAY];

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
