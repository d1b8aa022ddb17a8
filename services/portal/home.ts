import type { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { readStatus } from '#database/service-status.ts';
import { countRejected } from '#events/rejected-events.ts';
import { listImports } from '#imports/read-imports.ts';
import { readMailActivity } from '#mail/send-once.ts';
import { countAttention } from '#payments/incoming/reconcile.ts';
import { conditionsOf } from '#questions/question-filter.ts';
import { readReviewQueue } from '#statistics/review-queue.ts';

type Part<Name extends keyof PortalHomeResponse> = NonNullable<PortalHomeResponse[Name]>;

/** What waits for editors, and the last import. Counts the whole bank, so call it rarely. */
export async function readQuestionsHome(db: Database): Promise<Part<'questions'>> {
  const { where, values } = await conditionsOf(db, { validation: 'pending' });
  const [pending, reported, { totals }, { imports }] = await Promise.all([
    count(db, `select count(*)::int as count from question where ${where}`, values),
    count(
      db,
      `select count(distinct question_id)::int as count from feedback where state = 'open'`,
    ),
    readReviewQueue(db),
    listImports(db, 1),
  ]);
  const [last] = imports;
  return {
    pending,
    reported,
    stale: totals.fact_due + totals.source_outdated,
    last_import: last
      ? {
          id: last.id,
          file_name: last.file_name,
          state: last.state,
          dry_run: last.dry_run,
          imported: last.imported,
          rejected: last.rejected,
          created_at: last.created_at.toISOString(),
        }
      : null,
  };
}

async function count(db: Queryable, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql, values);
  return rows[0]!.count;
}

/** What waits for support, and the figures of today: a day begins at midnight in Oslo. */
export async function readLearnersHome(db: Queryable): Promise<Part<'learners'>> {
  const { disputed: disputes = 0, ...attention } = await countAttention(db);
  const { rows } = await db.query<Omit<Part<'learners'>, 'payments_waiting' | 'disputes'>>(
    `with today as (
       select date_trunc('day', now() at time zone 'Europe/Oslo') at time zone 'Europe/Oslo'
         as midnight),
     started as (
       select account_id from quiz, today where quiz.id > uuidv7(midnight - now())
         and started_at >= midnight),
     settled as (
       select amount_ore from payment, today where settled_at >= midnight)
     select
       (select count(*)::int from account, today
        where account.id > uuidv7(midnight - now()) and state <> 'deleted') as registered_today,
       (select count(distinct account_id)::int from started) as practised_today,
       (select count(*)::int from started) as quizzes_today,
       (select count(*)::int from settled) as payments_today,
       (select coalesce(sum(amount_ore), 0)::int from settled) as paid_today`,
  );
  const waiting = Object.values(attention).reduce((sum, payments) => sum + payments, 0);
  return { payments_waiting: waiting, disputes, ...rows[0]! };
}

/** A worker stores a status every ten seconds; an older one says nothing about now. */
const STALE_MS = 60_000;

/** What waits for operators. */
export async function readOperationsHome(db: Queryable): Promise<Part<'operations'>> {
  const [status, rejected, mails] = await Promise.all([
    readStatus(db),
    countRejected(db),
    readMailActivity(db),
  ]);
  const isFresh = status !== null && Date.now() - Date.parse(status.at) < STALE_MS;
  return {
    level: isFresh ? status.level : null,
    rejected_events: rejected,
    mails_refused: mails.refused,
  };
}
