import type { Few, FunnelResponse } from '@proveklar/contract/money.ts';
import type { Queryable } from '#database/pool.ts';
import { spanOf } from '#payments/books/ledger.ts';

type Step = keyof FunnelResponse['total'];
type Counts = Record<Step, number>;

/** SQL: an instant as a day in Oslo. */
const dayOf = (column: string) => `(${column} at time zone 'Europe/Oslo')::date`;

const FORMATS = { day: 'YYYY-MM-DD', month: 'YYYY-MM' };

/**
 * The way from the free sample to practising, as counts by day or month: each person counts once in a step, on the day of
 * the step. Counts below five are withheld, so that no day tells of a single person.
 *
 * A hundred thousand learners with a million quizzes take seconds, so call it rarely.
 */
export async function readFunnel(db: Queryable, period: string): Promise<FunnelResponse> {
  const { from, to, unit } = spanOf(period);
  const { rows } = await db.query<Counts & { period: string }>(
    `with practice as (
       select account_id, ${dayOf('started_at')} as day from quiz
       where started_at < ($2::date::timestamp at time zone 'Europe/Oslo') group by 1, 2),
     days_of as (
       select day, row_number() over (partition by account_id order by day) as nth from practice),
     first_payment as (
       select ${dayOf('min(settled_at)')} as day from payment
       where state = 'settled' and account_id is not null group by account_id),
     step (name, day, count) as (
       select 'sample', day, count from daily_count where name = 'sample_opened'
       union all
       select 'registered', ${dayOf('created_at')}, count(distinct email) from payment
       where purpose = 'registration' group by 2
       union all
       select 'paid', day, count(*) from first_payment group by 2
       union all
       select case nth when 1 then 'first_quiz' else 'came_back' end, day, count(*)
       from days_of where nth <= 2 group by 1, 2)
     select to_char(listed.day, '${FORMATS[unit]}') as period,
       ${(['sample', 'registered', 'paid', 'first_quiz', 'came_back'] as const)
         .map((name) => `coalesce(sum(count) filter (where name = '${name}'), 0)::int as ${name}`)
         .join(', ')}
     from generate_series($1::date::timestamp, least($2::date - 1, ${dayOf('now()')})::timestamp,
       interval '1 day') listed (day)
     left join step on step.day = listed.day
     group by 1 order by 1 desc`,
    [from, to],
  );
  const total: Counts = { sample: 0, registered: 0, paid: 0, first_quiz: 0, came_back: 0 };
  for (const row of rows) {
    for (const step of Object.keys(total) as Step[]) total[step] += row[step];
  }
  return {
    rows: rows.map(({ period: name, ...counts }) => ({ period: name, ...withhold(counts) })),
    total: withhold(total),
  };
}

const FEWEST = 5;

function withhold(counts: Counts): Record<Step, Few> {
  return Object.fromEntries(
    Object.entries(counts).map(([step, count]) => [step, count < FEWEST ? '<5' : count]),
  ) as Record<Step, Few>;
}
