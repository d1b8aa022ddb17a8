import { withClient } from '@proveklar/local/postgres/cluster.ts';
import type { Bench } from '#row.ts';
import { questionAt } from '#question-text.ts';

const BATCH = 5_000;

/** Of a hundred questions, so many are the English text of one, or were shown in a quiz. */
const PERCENT = { english: 20, shown: 70 };

/**
 * A database with a bank of so many questions, as it is after a year of use: half of them validated,
 * most of them with statistics. Made once for all rows of a run.
 *
 * @returns its address
 */
export async function bankOf({ scratch, say }: Bench, count: number): Promise<string> {
  const name = `bank_${count}`;
  const url = await scratch.database(name);
  const isFilled = filled.has(url);
  filled.add(url);
  if (isFilled) return url;
  say(`making a bank of ${count.toLocaleString('en')} questions`);
  await withClient(url, async (client) => {
    for (let from = 0; from < count; from += BATCH) {
      const length = Math.min(BATCH, count - from);
      const rows = Array.from({ length }, (_, index) => questionAt(from + index));
      await client.query(INSERT, [JSON.stringify(rows)]);
    }
    await client.query(STATISTICS);
    await client.query('vacuum analyze');
  });
  return url;
}

const filled = new Set<string>();

// By hash and not in turn: what a filter selects lies all over the table, as it does in life.
const percentile = (salt: number) => `abs(hashint8extended(question.id, ${salt}) % 100)`;

const INSERT = `
  insert into question (language, topic, question, answer, incorrect, validated, created_at)
  select case when random() < ${PERCENT.english / 100} then 'en' else language end, topic, question,
         answer, incorrect, random() < 0.5, now() - random() * interval '1 year'
  from jsonb_to_recordset($1::jsonb) as row
    (language text, topic text, question text, answer text, incorrect text[])`;

const STATISTICS = `
  insert into question_statistics (question_id, times_selected, times_correct, times_incorrect)
  select id, selected, correct, selected - correct
  from question
  cross join lateral (select (${percentile(1)} ^ 2 / 20)::int as selected) as shown
  cross join lateral (select (selected * ${percentile(2)} / 100)::int as correct) as answered
  where ${percentile(3)} < ${PERCENT.shown}`;
