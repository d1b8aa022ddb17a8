import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { LATEST_ANSWERS } from '#learning/latest-answers.ts';
import { ensureRebuilt } from '#learning/rebuild.ts';
import { handInOverdueOf } from './hand-in.ts';
import { IS_TRANSLATION } from './read-translation.ts';

/** With fewer different questions, the share of right answers says little about a topic. */
export const MIN_QUESTIONS = 5;

interface TopicProgress {
  topic: string;
  language: string;
  names: TopicNames;
  /** Different questions answered. */
  met: number;
  /** Questions whose latest answer was right. */
  right: number;
  /** Whether `met` is at least `MIN_QUESTIONS`. */
  enough: boolean;
  last_practised_at: Date;
}

interface Progress {
  /** By language, then in Norwegian alphabetical order. */
  topics: TopicProgress[];
  /** Questions whose latest answer was wrong, in all languages: what a drill of mistakes draws from. */
  mistakes: number;
  /** Null when no topic has enough questions, or none has a wrong answer. */
  weakest: { topic: string; language: string } | null;
}

// By the bank as it is today. Questions that are retired, no longer validated, or in a language that is
// no longer offered cannot be practised any more, and are left out. A question that was moved to another
// topic counts there.
const BY_TOPIC = `
  select topic, question.language, count(*)::int as met,
         count(*) filter (where correct)::int as right,
         max(answered_at) as last_practised_at
  from (${LATEST_ANSWERS}) latest
  join question on question.id = latest.question_id
  where validated and retired_at is null and ${isOffered('question.language')}
  group by topic, question.language
  order by question.language desc, topic collate "nb-x-icu"`;

/** An account's progress in each topic, by its latest answer to each question. */
export async function readProgress(db: Database, accountId: string): Promise<Progress> {
  await handInOverdueOf(db, accountId);
  await ensureRebuilt(db, accountId);
  const { rows } = await db.query<Omit<TopicProgress, 'names' | 'enough'>>({
    name: 'read-progress',
    text: BY_TOPIC,
    values: [accountId],
  });
  const names = await readTopicNames(db, rows);
  const topics = rows.map((row, index) => ({
    ...row,
    names: names[index]!,
    enough: row.met >= MIN_QUESTIONS,
  }));
  return {
    topics,
    mistakes: topics.reduce((sum, { met, right }) => sum + met - right, 0),
    weakest: weakestOf(topics),
  };
}

/** The topic with the lowest share of right answers; of equal ones, the one with the most wrong answers. */
function weakestOf(topics: readonly TopicProgress[]): Progress['weakest'] {
  const [weakest] = topics
    .filter(({ enough, met, right }) => enough && right < met)
    .toSorted((a, b) => a.right / a.met - b.right / b.met || b.met - a.met);
  return weakest ? { topic: weakest.topic, language: weakest.language } : null;
}

/** The name of a topic in each language of the screens; null where the bank has no clear translation. */
type TopicNames = Record<AppLanguage, string | null>;

interface Topic {
  topic: string;
  language: string;
}

/** Questions looked at in a topic, which may have a hundred thousand. */
const SAMPLE_SIZE = 10;

// The first questions by draw_key are a random sample of the topic, and the same at every call.
const TRANSLATED = `
  select known.topic, known.language, other.language as into, other.topic as name,
         count(distinct original.id)::int as questions, max(original.sampled)::int as sampled
  from unnest($1::text[], $2::text[]) as known (topic, language)
  cross join lateral (
    select *, count(*) over () as sampled from (
      select id, question.language, translation_group from question
      where question.language = known.language and question.topic = known.topic
        and validated and retired_at is null
      order by draw_key limit ${SAMPLE_SIZE}) drawn) original
  join question other on ${IS_TRANSLATION}
  group by known.topic, known.language, other.language, other.topic`;

interface Row extends Topic {
  into: AppLanguage;
  name: string;
  /** Sampled questions with a translation under this name. */
  questions: number;
  /** Sampled questions of the topic. */
  sampled: number;
}

/**
 * The names of topics in the languages of the screens, in the order of `topics`. The bank links the
 * translations of questions, not of topics. The name of a topic in another language is therefore the topic
 * that has more than half of its questions' translations, and at least three of them (or all, if the topic
 * has fewer questions). There is no name if no topic has that many, or if two topics would share it.
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
      topic.language === language ? topic.topic : mostCommonName(translations, language);
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

/** Translated questions that a name needs: a single one may be in the wrong topic. */
const MIN_PAIRS = 3;

function mostCommonName(translations: readonly Row[], language: AppLanguage): string | null {
  const candidates = translations.filter(({ into }) => into === language);
  const all = candidates.reduce((sum, { questions }) => sum + questions, 0);
  const most = candidates.find(({ questions }) => questions * 2 > all);
  return most && most.questions >= Math.min(MIN_PAIRS, most.sampled) ? most.name : null;
}
