import type { Database } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { LATEST_ANSWERS } from './latest-answers.ts';
import { handInOverdueOf } from './overdue.ts';
import { readTopicNames, type TopicNames } from './topic-names.ts';

/** With fewer different questions than this, nothing is said about how well a topic is known. */
export const ENOUGH_QUESTIONS = 5;

export interface TopicProgress {
  topic: string;
  language: string;
  names: TopicNames;
  /** Different questions answered. */
  met: number;
  /** Those of them whose latest answer was right. */
  right: number;
  /** Whether `met` is enough to say something. */
  enough: boolean;
  last_practised_at: Date;
}

export interface Progress {
  /** In Norwegian alphabetical order, one language after the other. */
  topics: TopicProgress[];
  /** Questions whose latest answer was wrong, over all languages: what a drill of mistakes draws. */
  mistakes: number;
  /** Null when there is too little to say, or nothing wrong. */
  weakest: { topic: string; language: string } | null;
}

// Of the bank as it is today: what was retired or taken back cannot be practised any more, and a
// question that was moved counts where a drill would find it. Nor can what is in a language that is
// not offered now.
const BY_TOPIC = `
  select topic, question.language, count(*)::int as met,
         count(*) filter (where correct)::int as right,
         max(answered_at) as last_practised_at
  from (${LATEST_ANSWERS}) latest
  join question on question.id = latest.question_id
  where validated and retired_at is null and ${isOffered('question.language')}
  group by topic, question.language
  order by question.language desc, topic collate "nb-x-icu"`;

/** What an account knows of each topic, by its latest answer to each question. */
export async function readProgress(db: Database, accountId: string): Promise<Progress> {
  await handInOverdueOf(db, accountId);
  const { rows } = await db.query<Omit<TopicProgress, 'names' | 'enough'>>({
    name: 'read-progress',
    text: BY_TOPIC,
    values: [accountId],
  });
  const names = await readTopicNames(db, rows);
  const topics = rows.map((row, index) => ({
    ...row,
    names: names[index]!,
    enough: row.met >= ENOUGH_QUESTIONS,
  }));
  return {
    topics,
    mistakes: topics.reduce((sum, { met, right }) => sum + met - right, 0),
    weakest: weakestOf(topics),
  };
}

/** The lowest share of right answers; of equal ones that with the most to mend. */
function weakestOf(topics: readonly TopicProgress[]): Progress['weakest'] {
  const [weakest] = topics
    .filter(({ enough, met, right }) => enough && right < met)
    .toSorted((a, b) => a.right / a.met - b.right / b.met || b.met - a.met);
  return weakest ? { topic: weakest.topic, language: weakest.language } : null;
}
