import type { Queryable } from '#database/pool.ts';
import { EACH_TOPIC } from '#questions/question-filter.ts';

const MAX_NAMES = 10_000;

const TOPICS = `
  ${EACH_TOPIC}
  where topic is not null
    and exists (select from question where question.topic = found.topic and retired_at is null)
  limit ${MAX_NAMES}`;

/**
 * The spellings of topics. A topic that differs from a known one in capital letters only is that topic; two spellings
 * that the bank has already both stay.
 */
export class TopicNames {
  readonly #exact = new Set<string>();
  readonly #folded = new Map<string, string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.#add(name);
  }

  /** The topics of the bank, those of hidden rows included. */
  static async ofBank(db: Queryable): Promise<TopicNames> {
    const { rows } = await db.query<{ topic: string }>(TOPICS);
    return new TopicNames(rows.map(({ topic }) => topic));
  }

  /** The topic in the spelling that is known; a new topic becomes known. */
  spell(topic: string): string {
    if (this.#exact.has(topic)) return topic;
    const known = this.#folded.get(topic.toLowerCase());
    if (known === undefined && this.#exact.size < MAX_NAMES) this.#add(topic);
    return known ?? topic;
  }

  #add(name: string): void {
    this.#exact.add(name);
    const folded = name.toLowerCase();
    if (!this.#folded.has(folded)) this.#folded.set(folded, name);
  }
}
