import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { createPool, withTransaction } from '@proveklar/services/database/pool.ts';
import { handIn } from '@proveklar/services/quiz/hand-in.ts';
import { fillAnswers } from '#support/answers-database.ts';
import { untilConsumed } from '#support/drain.ts';
import { BANK, givenAnswer, QUESTIONS_PER_QUIZ } from '#support/given-answers.ts';
import { startWorkers } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P16',
  title: 'Size of the tables after ten million answers',
  sides: {
    value: 'tables whose rows change, with indexes, when the last answer is counted',
    limit: 'the same rows, written again by vacuum full',
  },
  unit: 'MB',
  target: { at: 'most', ratio: 1.5 },
  measure,
};

/** Tests that a transaction hands in. */
const GROUP = 50;
/** The load waits for the workers after so many answers: they have a backlog, but never a long one. */
const ROUND = 100_000;

/** A table with its indexes. */
interface Size {
  name: string;
  rows: number;
  dead: number;
  /** Rows that were updated or deleted so far. */
  changes: number;
  bytes: number;
}

async function measure(bench: Bench): Promise<Measurement> {
  const [before, after] = bench.quick ? [2_000, 12_000] : [1_000_000, 11_000_000];
  const url = await bench.scratch.database('bloat');
  const superuserUrl = bench.scratch.asSuperuser(url);
  const database = await fillAnswers(bench, url, 0);
  await database.addAnsweredTests(after / QUESTIONS_PER_QUIZ);
  const sizes: Map<string, Size>[] = [];
  const measureSizes = async () => {
    sizes.push(await readSizes(superuserUrl));
  };
  const db = createPool(url, { applicationName: 'bench' });
  const workers = await startWorkers(bench, url, { LOG_LEVEL: 'info' });
  try {
    for (let answers = 0; answers < after;) {
      const first = answers / QUESTIONS_PER_QUIZ;
      const ids = Array.from({ length: GROUP }, (_, test) => givenAnswer(first + test, 0).quizId);
      await withTransaction(db, (tx) => handIn(tx, ids));
      answers += GROUP * QUESTIONS_PER_QUIZ;
      const isMeasured = answers === before || answers === after;
      if (isMeasured || answers % ROUND === 0) await untilConsumed(url);
      if (isMeasured) await measureSizes();
    }
  } finally {
    await workers.stop();
    await db.end();
  }
  await requireCounted(url, after);
  await withClient(superuserUrl, (client) => client.query('vacuum full analyze'));
  await measureSizes();
  const [early, late, packed] = sizes as [Map<string, Size>, Map<string, Size>, Map<string, Size>];
  // Filling the bank changes each question once.
  const changed = [...late.values()].filter(({ changes }) => changes > BANK);
  const bytesOf = (all: Map<string, Size>) =>
    changed.reduce((sum, { name }) => sum + (all.get(name)?.bytes ?? 0), 0);
  return {
    value: bytesOf(late) / 1e6,
    limit: bytesOf(packed) / 1e6,
    notes: [
      `${(after - before).toLocaleString('en')} answers of ${after / QUESTIONS_PER_QUIZ} practice tests, the figures "before" after another ${before.toLocaleString('en')}: handed in by the service, ${GROUP} tests in a transaction, and counted by one worker process with PostgreSQL as the queue`,
      `at most ${ROUND.toLocaleString('en')} answers wait; PostgreSQL's autovacuum as it is, and no vacuum before the sizes are read`,
      'all answers must be counted, otherwise the row fails; tables in which only rows were added are left out',
      'dead rows: as PostgreSQL estimates them (pg_stat_user_tables)',
    ],
    table: [
      [
        'table',
        'rows before',
        'rows after',
        'changed rows',
        'dead before',
        'dead after',
        'MB before',
        'MB after',
        'MB written again',
        'ratio',
      ],
      ...changed.map((size) => {
        const least = packed.get(size.name)?.bytes ?? 0;
        const then = early.get(size.name) ?? { rows: 0, dead: 0, bytes: 0 };
        return [
          size.name,
          ...[then.rows, size.rows, size.changes, then.dead, size.dead].map(String),
          ...[then.bytes, size.bytes, least].map((bytes) => (bytes / 1e6).toFixed(1)),
          (size.bytes / least).toFixed(2),
        ];
      }),
    ],
  };
}

async function requireCounted(url: string, answers: number): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ counted: number }>(
      'select sum(times_correct + times_incorrect)::int as counted from item_statistics',
    );
    const { counted } = rows[0]!;
    if (counted !== answers) throw new Error(`${answers} answers were given, ${counted} counted.`);
  });
}

async function readSizes(url: string): Promise<Map<string, Size>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Size>(SIZES);
    return new Map(rows.map((size) => [size.name, size]));
  });
}

const SIZES = `
  select case schemaname when 'public' then '' else schemaname || '.' end || relname as name,
         n_live_tup::int as rows, n_dead_tup::int as dead, (n_tup_upd + n_tup_del)::int as changes,
         pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables
  order by bytes desc`;
