import { MAX_COUNTED_QUESTIONS } from '@proveklar/contract/limits.ts';
import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { optionsOf, type OptionSource } from '#questions/option-order.ts';
import { pictureColumns, type StoredPicture } from '#questions/picture.ts';
import { reasonsFor, type StoredWhy, toWhy, whyColumns } from '#questions/why.ts';
import { listTopics } from '#questions/topics.ts';
import { IS_TRANSLATION, pairOptions } from '#quiz/read-translation.ts';
import { AppError } from '#errors/app-error.ts';

/** Questions that a visitor can try without an account. */
const SAMPLE_SIZE = 10;

/** Questions with this tag come first in the sample. An administrator sets it in an import. */
export const SAMPLE_TAG = 'smakebit';

/** A question of the sample with its key, which is only for grading an answer. */
export interface SampleQuestion extends OptionSource, StoredWhy, StoredPicture {
  id: number;
  question: string;
  topic: string;
  language: string;
  /** The offered languages that it is translated into. */
  translations: string[];
}

const COLUMNS = `
  question.id, uuid, question, answer, incorrect, question.topic, language,
  ${whyColumns('question')}, ${pictureColumns('question')}`;

// The tag is a literal: with a parameter, the planner would not use the partial index.
const TAGGED = `
  select ${COLUMNS} from question
  where language = $1 and validated and retired_at is null and '${SAMPLE_TAG}' = any (tags)
    and ${isOffered('$1')}
  order by draw_key, id limit 100`;

const OTHERS = `
  select ${COLUMNS}
  from unnest($2::text[]) as listed (topic)
  cross join lateral (
    select question.* from question
    where language = $1 and topic = listed.topic and validated and retired_at is null
    order by draw_key, id limit ${SAMPLE_SIZE}) as question`;

// Of thousands of topics the first ones: the sample has no room for more.
const MAX_TOPICS = 60;

/**
 * The free sample of a language: at most ten validated questions, spread over the topics. It is the same
 * for all visitors and stays the same until the bank changes, so that repeated requests do not reveal the
 * bank. If the language has fewer than ten questions, and Norwegian has more, it is the Norwegian sample.
 */
export async function readSample(db: Queryable, language: string): Promise<SampleQuestion[]> {
  const own = await readOfLanguage(db, language);
  if (own.length === SAMPLE_SIZE || language === 'no') return withTranslations(db, own);
  const norwegian = await readOfLanguage(db, 'no');
  return withTranslations(db, norwegian.length > own.length ? norwegian : own);
}

type Untranslated = Omit<SampleQuestion, 'translations'>;

async function readOfLanguage(db: Queryable, language: string): Promise<Untranslated[]> {
  const tagged = await db.query<Untranslated>({
    name: 'read-tagged-sample',
    text: TAGGED,
    values: [language],
  });
  const sample = fillEvenly([], tagged.rows);
  if (sample.length === SAMPLE_SIZE) return sample;
  const topics = (await listTopics(db, language)).slice(0, MAX_TOPICS);
  const others = await db.query<Untranslated>({
    name: 'read-other-sample',
    text: OTHERS,
    values: [language, topics],
  });
  return fillEvenly(sample, others.rows);
}

/** Fills the sample up, each time from the topic with the fewest questions in it. */
function fillEvenly(sample: readonly Untranslated[], candidates: readonly Untranslated[]) {
  const filled = [...sample];
  const left = candidates.filter(({ id }) => !sample.some((question) => question.id === id));
  const share = (topic: string) => filled.filter((question) => question.topic === topic).length;
  while (filled.length < SAMPLE_SIZE && left.length > 0) {
    const fewest = Math.min(...left.map(({ topic }) => share(topic)));
    const next = left.findIndex(({ topic }) => share(topic) === fewest);
    filled.push(...left.splice(next, 1));
  }
  return filled;
}

async function withTranslations(db: Queryable, sample: Untranslated[]): Promise<SampleQuestion[]> {
  const { rows } = await db.query<{ id: number; languages: string[] }>({
    name: 'read-sample-translations',
    text: `select original.id, array_agg(distinct other.language order by other.language) as languages
           from question original join question other on ${IS_TRANSLATION}
           where original.id = any ($1) group by original.id`,
    values: [sample.map(({ id }) => id)],
  });
  const languagesOf = new Map(rows.map(({ id, languages }) => [id, languages]));
  return sample.map((question) => ({
    ...question,
    translations: languagesOf.get(question.id) ?? [],
  }));
}

const COUNT = `
  select count(*)::int from (
    select from question where language = $1 and validated and retired_at is null
    limit ${MAX_COUNTED_QUESTIONS}) counted`;

/** How many questions of a language learners can practise; no more than 10,000 are counted. */
export async function countBank(db: Queryable, language: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-bank',
    text: COUNT,
    values: [language],
  });
  return rows[0]?.count ?? 0;
}

/**
 * A question of the sample in another language, with its key: anyone may answer it, and see the key then.
 *
 * @throws AppError `question_not_in_quiz`, `translation_not_found`
 */
export async function readSampleTranslation(
  db: Queryable,
  sample: readonly SampleQuestion[],
  asked: { questionUuid: string; language: string },
) {
  const original = sample.find(({ uuid }) => uuid === asked.questionUuid);
  if (!original) throw new AppError('question_not_in_quiz', { details: { field: 'uuid' } });
  const { rows } = await db.query<{
    language: string;
    question: string;
    answer: string;
    incorrect: string[];
    incorrect_reasons: (string | null)[] | null;
    explanation: string | null;
  }>({
    name: 'read-sample-translation',
    text: `select other.language, other.question, other.answer, other.incorrect,
                  other.incorrect_reasons, other.explanation
           from question original join question other on ${IS_TRANSLATION}
           where original.uuid = $1 and other.language = $2 order by other.id limit 1`,
    values: [original.uuid, asked.language],
  });
  const [translation] = rows;
  if (!translation) throw new AppError('translation_not_found');
  const { language, question, answer, explanation } = translation;
  const options = pairOptions(original, translation, optionsOf(original));
  const reasons = reasonsFor(translation, options);
  return { language, question, options, answer, explanation, reasons };
}

/**
 * Grades an answer to a question of the sample. Other questions are refused, so that it does not reveal the
 * keys of the bank. Nothing is stored or counted: without an account, a visitor can answer the same question
 * a hundred times, which would distort its statistics.
 *
 * @throws AppError `question_not_in_quiz` when the question is not, or no longer, in the sample;
 *   `answer_not_an_option`
 */
export function answerSample(
  sample: readonly SampleQuestion[],
  given: { questionUuid: string; answer: string },
) {
  const question = sample.find(({ uuid }) => uuid === given.questionUuid);
  if (!question) throw new AppError('question_not_in_quiz', { details: { field: 'question_id' } });
  if (!optionsOf(question).includes(given.answer)) {
    throw new AppError('answer_not_an_option', { details: { field: 'answer' } });
  }
  return {
    // Only the page stores the answers.
    score: null,
    correct: given.answer === question.answer,
    correct_answer: question.answer,
    ...toWhy(question, question.incorrect),
  };
}
