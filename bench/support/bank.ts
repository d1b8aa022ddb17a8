import { withClient } from '@proveklar/local/postgres/cluster.ts';
import type { Bench } from '#row.ts';
import { questionAt } from '#question-text.ts';

const BATCH = 5_000;

/** The id of the import of all questions in a bank. */
export const BANK_IMPORT = '0199a000-0000-7000-8000-000000000001';

/** The share of the questions, in percent. */
const PERCENT = { english: 20, validated: 50, retired: 1, shown: 70, reported: 2 };

/**
 * Creates a database with a bank of this many questions, as after a year of use: one import, half of them
 * validated, most with statistics and a measured difficulty. Once for all rows of a run.
 *
 * @returns its URL
 */
export async function bankOf({ scratch, say }: Bench, count: number): Promise<string> {
  const name = `bank_${count}`;
  const url = await scratch.database(name);
  const isFilled = filled.has(url);
  filled.add(url);
  if (isFilled) return url;
  say(`making a bank of ${count.toLocaleString('en')} questions`);
  await fillBank(url, count);
  return url;
}

const filled = new Set<string>();

/** Inserts a bank of this many questions into an empty database. */
export async function fillBank(url: string, count: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(IMPORT, [BANK_IMPORT, count]);
    for (let from = 0; from < count; from += BATCH) {
      const length = Math.min(BATCH, count - from);
      const rows = Array.from({ length }, (_, index) => questionAt(from + index));
      await client.query(INSERT, [JSON.stringify(rows), BANK_IMPORT]);
    }
    await client.query(STATISTICS);
    await client.query(DIFFICULTIES);
    await client.query(SEARCH);
    await client.query(SEARCHABLE);
    await client.query('vacuum analyze');
  });
}

// By hash and not in sequence, so that the rows of a filter are spread over the table, as in production.
const percentile = (salt: number) => `abs(hashint8extended(question.id, ${salt}) % 100)`;

const IMPORT = `
  insert into question_import (id, imported_by, imported) values ($1, 'admin@example.no', $2)`;

const INSERT = `
  insert into question
    (language, topic, question, answer, incorrect, validated, retired_at, created_at, import_id)
  select case when random() < ${PERCENT.english / 100} then 'en' else language end, topic, question,
         answer, incorrect, random() < ${PERCENT.validated / 100},
         case when random() < ${PERCENT.retired / 100} then now() end,
         now() - random() * interval '1 year', $2::uuid
  from jsonb_to_recordset($1::jsonb) as row
    (language text, topic text, question text, answer text, incorrect text[])`;

const STATISTICS = `
  insert into question_statistics
    (question_id, times_selected, times_correct, times_incorrect, times_reported)
  select id, selected, correct, selected - correct,
         (${percentile(4)} < ${PERCENT.reported})::int
  from question
  cross join lateral (select (${percentile(1)} ^ 2 / 20)::int as selected) as shown
  cross join lateral (select (selected * ${percentile(2)} / 100)::int as correct) as answered
  where ${percentile(3)} < ${PERCENT.shown}`;

// In logits, from -1.5 to 1.5.
const DIFFICULTIES = `
  insert into question_difficulty (question_id, difficulty, answers)
  select question.id, (${percentile(5)} - 50) / 33.0, times_selected
  from question join question_statistics on question_id = question.id where times_selected > 0`;

// The background work of the workers after an import.
const SEARCH = `insert into question_search select id, '' from question`;
const SEARCHABLE = 'update question_import set searchable_at = now()';
