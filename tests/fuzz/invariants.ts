import { REJECTED_EVENT_ID } from '@proveklar/gateway/openapi/examples/operations.ts';
import { expect } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { IS_RIGHT_NOW } from '@proveklar/services/quiz/shown-question.ts';
import { readTruths } from '#payments/stripe-truth.ts';
import { receiptGaps } from '#payments/ledger.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';

/** Keeps a copy of each emitted event, because some are deleted from the database later. */
export async function recordEvents(db: Database): Promise<void> {
  await db.query(`
    create table seen_event (id uuid, name text, payload jsonb);
    create function see_event() returns trigger language plpgsql as
      'begin insert into seen_event values (new.id, new.name, new.payload); return null; end';
    create trigger see_event after insert on outbox for each row execute function see_event()`);
}

/** What must hold once all events are consumed. Each query finds the rows that break its invariant. */
const INVARIANTS: Record<string, string> = {
  'the score of a quiz that was handed in is the number of its right answers': `
    select quiz.id, score, right_answers from quiz
    cross join lateral (
      select count(*) filter (where correct and counted)::int as right_answers
      from quiz_question left join quiz_answer using (quiz_id, question_id)
      where quiz_question.quiz_id = quiz.id) as counted
    where state = 'ended' and score <> right_answers`,

  'the statistics of a question have each answer event once': `
    select question_id, times_correct + times_incorrect as counted, coalesce(told, 0) as told
    from question_statistics left join (
      select (payload ->> 'question_id')::bigint as question_id, count(*)::int as told
      from seen_event where name = 'answer.submitted' group by 1) as events using (question_id)
    where times_correct + times_incorrect <> coalesce(told, 0)`,

  'a counted answer was emitted as one event': `
    select quiz_id, question_id, times from (
      select quiz_answer.quiz_id, quiz_answer.question_id, count(seen_event.id)::int as times
      from quiz_answer join quiz on quiz.id = quiz_id left join seen_event
        on name = 'answer.submitted' and payload ->> 'quiz_id' = quiz_answer.quiz_id::text
       and (payload ->> 'question_id')::bigint = quiz_answer.question_id
      where kind = 'drill' or state = 'ended' group by 1, 2) as told
    where times <> 1`,

  'an answer is right exactly when it is the key of the version shown': `
    select quiz_answer.quiz_id, question.id, quiz_answer.answer, correct from quiz_answer
    join quiz_question using (quiz_id, question_id) join question on question.id = question_id
    left join question_version old
      on old.question_id = question.id and old.version = quiz_question.version
    join quiz on quiz.id = quiz_answer.quiz_id
    where correct <> case when old.corrected then ${IS_RIGHT_NOW}
                     else quiz_answer.answer = coalesce(old.answer, question.answer) end`,

  'a settled payment has one credit, of the days that were sold': `
    select payment.id, payment.service_days, credit.days from payment
    left join credit on credit.payment_id = payment.id
    where purpose <> 'packet'
      and ((state = 'settled') <> (credit.id is not null) or credit.days <> payment.service_days)`,

  'a settled packet has its codes, and no other has any': `
    select payment_id, codes, made, state from code_packet join payment on payment.id = payment_id
    cross join lateral (
      select count(*)::int as made from access_code
      where access_code.payment_id = code_packet.payment_id) as found
    where made <> case when state = 'settled' then codes else 0 end`,

  'a used code has one credit, and no other has one': `
    select access_code.id, redeemed_at, credit.id as credit_id from access_code
    left join credit on code_id = access_code.id
    where (redeemed_at is null) <> (credit.id is null)`,

  'refunds and disputes withdraw their share of the unused codes': `
    select payment.id, withdrawn, target, codes, used from payment
    join code_packet on code_packet.payment_id = payment.id
    cross join lateral (
      select count(withdrawn_at)::int as withdrawn, count(redeemed_at)::int as used
      from access_code where access_code.payment_id = payment.id) as counted
    cross join lateral (
      select case when dispute in ('open', 'lost') then codes
        else floor(codes * refunded_ore::numeric / amount_ore) end as target) as wanted
    where state = 'settled' and withdrawn <> least(target, codes - used)`,

  'a settled payment has one receipt': `
    select payment.id from payment left join receipt on receipt.payment_id = payment.id
    where payment_intent_id is not null
      and (state = 'settled') <> (receipt.number is not null)`,

  'the refunded amount is the sum of the refunds': `
    select payment.id, refunded_ore, back from payment cross join lateral (
      select coalesce(sum(amount_ore), 0)::int as back from refund
      where payment_id = payment.id and state in ('pending', 'succeeded')) as refunds
    where refunded_ore <> back`,

  'the end of access follows from the credits': `
    with recursive ordered as (
      select account_id, days - days_taken_back as days, credited_at,
             row_number() over (partition by account_id order by credited_at, id) as place
      from credit where begins_at is null -- days that wait are no part of it yet
    ), running as (
      select account_id, place, credited_at + days * interval '24 hours' as ends
      from ordered where place = 1
      union all
      select ordered.account_id, ordered.place,
             greatest(running.ends, ordered.credited_at) + ordered.days * interval '24 hours'
      from running join ordered
        on ordered.account_id = running.account_id and ordered.place = running.place + 1
    ), last as (
      select distinct on (account_id) account_id, ends from running
      order by account_id, place desc)
    select account.id, service_expires_at, ends from account join last on account_id = account.id
    where state <> 'deleted'
      and abs(extract(epoch from service_expires_at - ends)) > 1`,

  'a closed account has no quiz, no report and no name': `
    select account.id, quiz.id as quiz_id, feedback.id as feedback_id from account
    left join quiz on quiz.account_id = account.id
    left join feedback on feedback.account_id = account.id
    where account.state = 'deleted' and (quiz.id is not null or feedback.id is not null
      or display_name is not null or email not like '%@invalid')`,

  'no deletion is incomplete': 'select * from account_deletion where completed_at is null',
  // Apart from that of the examples, which is retried too.
  'no event was rejected': `
    select name, queue, reason, payload from rejected_event where event_id <> '${REJECTED_EVENT_ID}'`,
  'no refund waits': `select id, state, failure from refund where state = 'requested'`,

  'each emitted event has reached a batch': `
    select name, count(*)::int as lost from seen_event
    where name not in ('answer.submitted', 'quiz.ended') and not exists (
      select from event_batch, jsonb_array_elements(events) as event
      where event_batch.name = seen_event.name and event ->> 'id' = seen_event.id::text)
    group by 1`,

  'an open quiz has its questions, and an answer a question of its quiz': `
    select id, total from quiz
    where total <> (select count(*) filter (where counted)::int
                    from quiz_question where quiz_id = quiz.id)`,

  'no import is stuck': `
    select id, state from question_import where state in ('processing', 'undoing')`,
  'no change of questions is stuck': `
    select id, state, done, total from question_change where state in ('running', 'undoing')`,
  'no regrade is incomplete': `select * from regrade where completed_at is null`,
};

/** Returns the broken invariants, with rows. It does not wait: all events must have been consumed. */
export async function brokenInvariants(
  db: Database,
  stripe: StripeApi,
): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(INVARIANTS)) {
    const { rows } = await db.query<Record<string, unknown>>(
      `select * from (${sql}) found limit 5`,
    );
    if (rows.length > 0) broken[name] = rows;
  }
  const gaps = await receiptGaps(db);
  if (gaps > 0) broken['receipts are numbered without gaps'] = [{ gaps }];

  const { rows: payments } = await db.query<{ intent: string; state: string; back: number | null }>(
    `select payment_intent_id as intent, state, days_taken_back as back
     from payment left join credit on payment_id = payment.id where payment_intent_id is not null`,
  );
  const ledger = new Map(payments.map((row) => [row.intent, row]));
  const differing = (await readTruths(stripe)).flatMap((truth) => {
    const row = ledger.get(truth.intentId);
    if (!row) return [];
    const agrees =
      truth.succeeded === (row.state === 'settled') && (row.back ?? 0) === truth.takenBack;
    return agrees ? [] : [{ ...truth, ledger: row }];
  });
  if (differing.length > 0) broken['the ledger agrees with Stripe'] = differing.slice(0, 5);
  return broken;
}

export const INVARIANT_COUNT = Object.keys(INVARIANTS).length + 2;

/** Waits until nothing is left in the outbox or in a queue. */
export async function drained(db: Database): Promise<void> {
  const left = async () => {
    const { rows } = await db.query<{ what: string; count: number }>(
      `select name as what, count(*)::int from outbox where name <> 'canary.sent' group by 1
       union all
       select name || ' for ' || queue, count(*)::int from event_delivery
       join event_batch on id = batch_id where done_at is null and name <> 'canary.sent' group by 1`,
    );
    return rows;
  };
  await expect.poll(left, { interval: 500 }).toEqual([]);
}
