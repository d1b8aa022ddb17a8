import type { Few, FunnelResponse } from '@proveklar/contract/money.ts';
import type { DailyCount } from '#database/daily-count.ts';
import type { Queryable, Transaction } from '#database/pool.ts';
import { spanOf } from '#payments/books/ledger.ts';

type Step = keyof FunnelResponse['total'];

const COUNTED_AS: Record<Step, DailyCount> = {
  sample: 'sample_opened',
  registered: 'registration_begun',
  paid: 'first_payment',
  first_quiz: 'first_quiz',
  came_back: 'came_back',
};
const STEPS = Object.keys(COUNTED_AS) as Step[];

/** One day: the step's counts. */
type Day = Record<Step, number> & { day: string };

/**
 * The way from the free sample to practising, as counts by day or month. Each step was counted on its day
 * (`countToday`), so the past does not change when accounts, payments and quizzes are deleted.
 *
 * Counts below five are withheld, and cannot be found out from a sum either (`sum`).
 */
export async function readFunnel(db: Queryable, period: string): Promise<FunnelResponse> {
  const { from, to, unit } = spanOf(period);
  const { rows: days } = await db.query<Day>(
    `select listed.day::date::text as day,
       ${STEPS.map((step) => `coalesce(sum(count) filter (where name = '${COUNTED_AS[step]}'), 0)::int as ${step}`).join(', ')}
     from generate_series($1::date::timestamp,
       least($2::date - 1, (now() at time zone 'Europe/Oslo')::date)::timestamp, interval '1 day') listed (day)
     left join daily_count on daily_count.day = listed.day
     group by 1 order by 1 desc`,
    [from, to],
  );
  const periods = Map.groupBy(days, ({ day }) => (unit === 'day' ? day : day.slice(0, 7)));
  return {
    rows: [...periods].map(([name, within]) => ({ period: name, ...sumsOf(within) })),
    total: sumsOf(days),
  };
}

function sumsOf(days: Day[]): Record<Step, Few> {
  return Object.fromEntries(
    STEPS.map((step) => [step, sum(days.map((day) => day[step]))]),
  ) as Record<Step, Few>;
}

const FEWEST = 5;

/** Takes what the days below five have together in whole fives only, so that a sum does not give a withheld day away. */
function sum(counts: number[]): Few {
  const few = counts.filter((count) => count < FEWEST).reduce((all, count) => all + count, 0);
  const shown = counts.filter((count) => count >= FEWEST).reduce((all, count) => all + count, 0);
  return shown + few - (few % FEWEST) || '<5';
}

const dayOf = (time: string) => `(${time} at time zone 'Europe/Oslo')::date`;

/**
 * Counts the quizzes that were their learner's first one, or the first one on a second day, on the day of the
 * quiz. Call it once for each quiz; in which order does not matter: starts of one learner wait for each other, so
 * their ids have their order.
 */
export async function countPractice(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query(
    `insert into daily_count (day, name, count)
     select ${dayOf('quiz.started_at')}, step.name, count(*)
     from quiz
     cross join lateral (
       select min(started_at) as first, max(started_at) as last
       from quiz earlier where earlier.account_id = quiz.account_id and earlier.id < quiz.id) earlier
     cross join lateral (
       select case when last is null then 'first_quiz'
         when ${dayOf('first')} = ${dayOf('last')} and ${dayOf('last')} < ${dayOf('quiz.started_at')}
         then 'came_back' end as name) step
     where quiz.id = any ($1) and step.name is not null
     group by 1, 2 order by 1, 2
     on conflict (day, name) do update set count = daily_count.count + excluded.count`,
    [quizIds],
  );
}
