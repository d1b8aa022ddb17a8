import type { Database, Queryable, Transaction } from '#database/pool.ts';
import { readStop, signStop } from '#mail/stop-token.ts';

/** SQL over `learner_plan`: reminders need the consent to a text that was shown. */
export const REMINDERS_ON = `(reminders and reminders_consent is not null)`;

/** Europe/Oslo. After work and school, and early enough to practise before the day ends. */
const FROM = '17:00';
/** A learner who is not reached by then gets no reminder that day. */
const UNTIL = '21:00';

/** Reminders in a row without practice; the last one says that it is the last. */
export const MAX_UNANSWERED = 7;

/** Quizzes that were started earlier are not searched for answers of today. */
const OPEN_FOR = '8 days';

// Locks the plans only. Another call skips them, and afterwards finds the day decided. A reminder of an
// earlier day was sent at FROM or later.
const FIND = `
  with clock as materialized (
    select local, local::date as day, ((local::date + time '${UNTIL}') at time zone 'Europe/Oslo') as until
    from (select coalesce($2::timestamptz, now()) at time zone 'Europe/Oslo' as local)
  ), decided as (
    select plan.account_id, exam_date, daily_goal,
           (last_reminded_on + time '${FROM}') at time zone 'Europe/Oslo' as reminded_at
    from learner_plan plan cross join clock
    where ${REMINDERS_ON} and reminders_decided_on is distinct from day
      and local::time between '${FROM}' and '${UNTIL}'
    order by reminders_decided_on nulls first, plan.account_id limit $1
    for update of plan skip locked
  ), judged as (
    select decided.account_id, answers.since > 0 as has_practised,
           account.state = 'active' and (exam_date is null or exam_date > day)
             and (account.service_expires_at > now() or settings.price_ore = 0)
             and answers.today < daily_goal as is_due
    from decided join account on account.id = decided.account_id
    cross join settings cross join clock
    cross join lateral (
      select count(*) filter (where (answered_at at time zone 'Europe/Oslo')::date = day) as today,
             count(*) filter (where answered_at >= reminded_at) as since
      from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
      where quiz.account_id = decided.account_id
        and quiz.started_at > clock.until - interval '${OPEN_FOR}') answers
  ), marked as (
    update learner_plan plan
    set reminders_decided_on = day,
        reminders_unanswered = case when has_practised then 0 else reminders_unanswered end
    from judged cross join clock where plan.account_id = judged.account_id
    returning plan.account_id, is_due
  ), emitted as (
    insert into outbox (name, payload)
    select 'reminder.due', jsonb_build_object(
      'account_id', account_id, 'day', day::text,
      'send_before', to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    from marked cross join clock where is_due)
  select count(*)::int as decided from marked`;

/**
 * Decides for the next learners whether they are reminded today, once for each day, and emits `reminder.due`
 * for those who are: with reminders on, an active service, an exam that is not over, and today's goal not
 * done. It works in batches, so that the mails of one evening are sent over hours.
 *
 * @param options.at the time; by default the database's
 * @returns for how many learners it was decided
 */
export async function findReminders(
  tx: Transaction,
  { limit, at = null }: { limit: number; at?: Date | null },
): Promise<number> {
  const { rows } = await tx.query<{ decided: number }>(FIND, [limit, at]);
  return rows[0]!.decided;
}

/** How long it is remembered that a learner once agreed. The privacy page (`/personvern`) states it. */
const CONSENT_RETENTION = '2 years';

/** Removes the record of a consent to reminders that were turned off long ago. */
export async function forgetOldConsents(tx: Transaction): Promise<void> {
  await tx.query(
    `update learner_plan
     set reminders_consent = null, reminders_agreed_at = null, reminders_changed_at = null,
         reminders_stopped = null
     where not reminders and reminders_changed_at < now() - $1::interval`,
    [CONSENT_RETENTION],
  );
}

/** What a reminder is made of. */
export interface ReminderState {
  isOn: boolean;
  unanswered: number;
  /** Signs its link. */
  key: Buffer | null;
}

export async function readReminderState(db: Queryable, accountId: string): Promise<ReminderState> {
  const { rows } = await db.query<ReminderState>(
    `select ${REMINDERS_ON} as "isOn", reminders_unanswered as unanswered, reminders_key as key
     from learner_plan where account_id = $1`,
    [accountId],
  );
  return rows[0] ?? { isOn: false, unanswered: 0, key: null };
}

/** Records that a reminder was sent on a day; the last one of a row ends them. Once for each day. */
export async function recordReminder(db: Queryable, accountId: string, day: string): Promise<void> {
  const isLast = `reminders_unanswered + 1 >= ${MAX_UNANSWERED}`;
  await db.query(
    `update learner_plan
     set last_reminded_on = $2::date, reminders_unanswered = reminders_unanswered + 1,
         reminders_changed_at = case when ${isLast} then now() else reminders_changed_at end,
         reminders_stopped = case when ${isLast} then 'unanswered' end,
         reminders = not ${isLast}
     where account_id = $1 and reminders and last_reminded_on is distinct from $2::date`,
    [accountId, day],
  );
}

/** Ends the reminders to an address that takes no mail, or may not be the learner's. */
export async function stopRefusedReminders(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `update learner_plan
     set reminders = false, reminders_changed_at = now(), reminders_stopped = 'refused'
     where account_id = $1 and reminders`,
    [accountId],
  );
}

/** The token of a link that stops an account's reminders. */
export const stopToken = (accountId: string, key: Buffer): string =>
  signStop('reminders', accountId, key);

/**
 * Stops the reminders of the account that a mail's link names. Idempotent.
 *
 * @throws AppError `not_found` for a token that is not valid, or whose account was deleted
 */
export async function stopReminders(db: Database, token: string): Promise<void> {
  const keyOf = async (id: string) => (await readReminderState(db, id)).key;
  const hint = 'This link is not valid. Sign in, and turn the reminders off in your plan.';
  const accountId = await readStop('reminders', token, keyOf, hint);
  await db.query(
    `update learner_plan
     set reminders = false, reminders_changed_at = now(), reminders_stopped = null
     where account_id = $1 and reminders`,
    [accountId],
  );
}
