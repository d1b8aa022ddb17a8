import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { optionsOf, type OptionSource } from '#questions/option-order.ts';
import { listTopics } from '#questions/topics.ts';
import { AppError } from '#errors/app-error.ts';

/** How many questions anybody may try without an account. */
const SAMPLE_SIZE = 10;

/** Questions with this tag are the sample: an administrator chooses them by it, in an import. */
export const SAMPLE_TAG = 'smakebit';

/** A question of the sample, with its key: only what judges an answer may see that. */
interface SampleQuestion extends OptionSource {
  id: number;
  question: string;
  topic: string;
  language: string;
  explanation: string | null;
  source_url: string | null;
}

const COLUMNS = `
  question.id, uuid, question, answer, incorrect, question.topic, language, explanation, source_url`;

// The tag is written out: a parameter would not tell the planner that the index has what is wanted.
const TAGGED = `
  select ${COLUMNS} from question
  where language = $1 and validated and retired_at is null and '${SAMPLE_TAG}' = any (tags)
    and ${isOffered('$1')}
  order by draw_key, id limit 100`;

const OTHERS = `
  select ${COLUMNS}
  from unnest($2::text[]) as wanted (topic)
  cross join lateral (
    select question.* from question
    where language = $1 and topic = wanted.topic and validated and retired_at is null
    order by draw_key, id limit ${SAMPLE_SIZE}) as question`;

// Of thousands of topics the first ones: a sample has no room for more.
const MOST_TOPICS = 60;

/**
 * The free sample of a language: at most ten validated questions, spread over the topics. They are the
 * same for everybody, and stay the same until the bank changes, so that nobody reads the bank by
 * asking again and again. Where there are fewer than ten in the language, and more in Norwegian, it is
 * the Norwegian one.
 */
export async function readSample(db: Queryable, language: string): Promise<SampleQuestion[]> {
  const own = await readOf(db, language);
  if (own.length === SAMPLE_SIZE || language === 'no') return own;
  const norwegian = await readOf(db, 'no');
  return norwegian.length > own.length ? norwegian : own;
}

async function readOf(db: Queryable, language: string): Promise<SampleQuestion[]> {
  const tagged = await db.query<SampleQuestion>({
    name: 'read-tagged-sample',
    text: TAGGED,
    values: [language],
  });
  const sample = spread([], tagged.rows);
  if (sample.length === SAMPLE_SIZE) return sample;
  const topics = (await listTopics(db, language)).slice(0, MOST_TOPICS);
  const others = await db.query<SampleQuestion>({
    name: 'read-other-sample',
    text: OTHERS,
    values: [language, topics],
  });
  return spread(sample, others.rows);
}

/** Fills the sample up, each time from a topic that has the fewest in it. */
function spread(sample: readonly SampleQuestion[], more: readonly SampleQuestion[]) {
  const filled = [...sample];
  const left = more.filter(({ id }) => !sample.some((question) => question.id === id));
  const share = (topic: string) => filled.filter((question) => question.topic === topic).length;
  while (filled.length < SAMPLE_SIZE && left.length > 0) {
    const fewest = Math.min(...left.map(({ topic }) => share(topic)));
    const next = left.findIndex(({ topic }) => share(topic) === fewest);
    filled.push(...left.splice(next, 1));
  }
  return filled;
}

/**
 * Judges an answer to a question of the sample, and of that alone: it must not tell the keys of the
 * bank. Nothing is stored, and nothing is counted: whoever has no account may answer the same question
 * a hundred times, and the figures of a question would then tell nothing about it.
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
    // Nobody keeps the answers but the page itself.
    score: null,
    correct: given.answer === question.answer,
    correct_answer: question.answer,
    explanation: question.explanation,
    source_url: question.source_url,
  };
}
