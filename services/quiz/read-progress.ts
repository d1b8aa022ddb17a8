import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { handInOverdueOf } from './hand-in.ts';
import { LATEST_ANSWERS } from './latest-answers.ts';
import { IS_TRANSLATION } from './read-translation.ts';

/** With fewer different questions than this, nothing is said about how well a topic is known. */
export const ENOUGH_QUESTIONS = 5;

interface TopicProgress {
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

interface Progress {
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

/** What a topic is called in each language of the screens; null where the bank does not say. */
type TopicNames = Record<AppLanguage, string | null>;

interface Topic {
  topic: string;
  language: string;
}

/** Questions of a topic that are asked: a topic may have a hundred thousand. */
const SAMPLED = 10;

// The first in the order of draw_key are a random part of the topic, and the same at every call.
const TRANSLATED = `
  select known.topic, known.language, other.language as into, other.topic as name,
         count(distinct original.id)::int as questions, max(original.asked)::int as asked
  from unnest($1::text[], $2::text[]) as known (topic, language)
  cross join lateral (
    select *, count(*) over () as asked from (
      select id, question.language, translation_group from question
      where question.language = known.language and question.topic = known.topic
        and validated and retired_at is null
      order by draw_key limit ${SAMPLED}) drawn) original
  join question other on ${IS_TRANSLATION}
  group by known.topic, known.language, other.language, other.topic`;

interface Row extends Topic {
  into: AppLanguage;
  name: string;
  /** Those of the topic that have a translation under this name. */
  questions: number;
  /** Those of the topic that were looked at. */
  asked: number;
}

/**
 * The names of topics in the languages of the screens, in the order of `topics`. The bank pairs
 * questions, not topics: a topic is called as that in which most of its questions' translations are.
 * Where no topic has more than half of them, and three at least (or all, of a topic with fewer
 * questions), or two topics would be called the same, there is none.
 */
export async function readTopicNames(
  db: Queryable,
  topics: readonly Topic[],
): Promise<TopicNames[]> {
  const { rows } = await db.query<Row>({
    name: 'read-topic-names',
    text: TRANSLATED,
    values: [topics.map(({ topic }) => topic), topics.map(({ language }) => language)],
  });
  const byTopic = Map.groupBy(rows, keyOf);
  const names = topics.map((topic) => {
    const translations = byTopic.get(keyOf(topic)) ?? [];
    const nameIn = (language: AppLanguage) =>
      topic.language === language ? topic.topic : mostOf(translations, language);
    return { no: nameIn('no'), en: nameIn('en') };
  });
  const isShared = (index: number, language: AppLanguage) =>
    names.some(
      (other, place) =>
        place !== index &&
        other[language] === names[index]![language] &&
        topics[place]!.language === topics[index]!.language,
    );
  return names.map(({ no, en }, index) => ({
    no: isShared(index, 'no') ? null : no,
    en: isShared(index, 'en') ? null : en,
  }));
}

const keyOf = ({ topic, language }: Topic) => JSON.stringify([language, topic]);

/** Translated questions that a name needs: one alone may lie in the wrong topic. */
const ENOUGH_PAIRS = 3;

function mostOf(translations: readonly Row[], language: AppLanguage): string | null {
  const wanted = translations.filter(({ into }) => into === language);
  const all = wanted.reduce((sum, { questions }) => sum + questions, 0);
  const most = wanted.find(({ questions }) => questions * 2 > all);
  return most && most.questions >= Math.min(ENOUGH_PAIRS, most.asked) ? most.name : null;
}
