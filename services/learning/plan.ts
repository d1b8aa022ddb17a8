import { randomBytes } from 'node:crypto';
import type { LearningPlanRequest } from '@proveklar/contract/learning.ts';
import type { Exam } from '@proveklar/contract/quiz.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { isAddressRefused } from '#mail/send-once.ts';
import { STOP_KEY_BYTES } from '#mail/stop-token.ts';
import { TODAY } from './learner-state.ts';
import { REMINDERS_ON } from './reminders.ts';

interface Plan {
  exam: Exam;
  /** `YYYY-MM-DD`. */
  exam_date: string | null;
  /** Days until the exam; negative once it has passed. */
  days_left: number | null;
  daily_goal: number;
  reminders: boolean;
  reminders_stopped: 'unanswered' | 'refused' | null;
  support_access: boolean;
  /** Null until the learner has chosen. */
  auto_advance: boolean | null;
  /** The last day of access, `YYYY-MM-DD`, if it is before the exam. */
  access_ends_first: string | null;
  /** Whether the exam date has passed and the learner was not asked yet how it went. */
  ask_outcome: boolean;
}

const NO_PLAN: Plan = {
  exam: 'samfunnskunnskap',
  exam_date: null,
  days_left: null,
  daily_goal: 20,
  reminders: false,
  reminders_stopped: null,
  support_access: false,
  auto_advance: null,
  access_ends_first: null,
  ask_outcome: false,
};

const LAST_DAY = `(account.service_expires_at at time zone 'Europe/Oslo')::date`;

/** What an account plans; the defaults for an account without a plan. */
export async function readPlan(db: Queryable, accountId: string): Promise<Plan> {
  const { rows } = await db.query<Plan>({
    name: 'learning-plan',
    text: `select exam, exam_date::text as exam_date, exam_date - ${TODAY} as days_left, daily_goal,
                  ${REMINDERS_ON} as reminders, reminders_stopped, support_access, auto_advance,
                  coalesce(exam_date < ${TODAY} and outcome_answered_for is distinct from exam_date,
                           false) as ask_outcome,
                  case when settings.price_ore > 0 and account.service_expires_at > now()
                         and not exists (select from credit where credit.account_id = account.id
                                           and begins_at > now())
                         and ${LAST_DAY} < exam_date
                       then ${LAST_DAY}::text end as access_ends_first
           from learner_plan join account on account.id = account_id cross join settings
           where account_id = $1`,
    values: [accountId],
  });
  return rows[0] ?? NO_PLAN;
}

/** SQL of `changePlan`: whether reminders are off and agreed to now. */
const TURNS_ON = `($6 and not ${REMINDERS_ON})`;

/** An exam date further away is a mistake. */
const MAX_DAYS_AHEAD = 730;

/**
 * Changes what is given of a plan.
 *
 * @throws AppError `validation_failed` for an exam date in the past or more than two years ahead;
 *   `consent_required` for reminders without the version of their text; `email_refused` for reminders to an
 *   address that refuses our mails; `account_disabled`
 */
export async function changePlan(
  db: Database,
  accountId: string,
  change: LearningPlanRequest,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    if (change.exam_date) {
      const { rows } = await tx.query<{ allowed: boolean }>(
        `select $1::date between ${TODAY} and ${TODAY} + ${MAX_DAYS_AHEAD} as allowed`,
        [change.exam_date],
      );
      if (!rows[0]!.allowed) {
        throw new AppError('validation_failed', {
          message: 'the exam date must be today or later, within two years',
          details: { field: 'exam_date' },
        });
      }
    }
    if (change.reminders) await checkReminders(tx, accountId, change);
    await tx.query(`insert into learner_plan (account_id) values ($1) on conflict do nothing`, [
      accountId,
    ]);
    await tx.query(
      `update learner_plan set
         exam = coalesce($2, exam),
         exam_date = case when $3 then $4::date else exam_date end,
         daily_goal = coalesce($5, daily_goal),
         reminders_changed_at = case when $6 <> ${REMINDERS_ON} then now() else reminders_changed_at end,
         reminders_agreed_at = case when ${TURNS_ON} then now() else reminders_agreed_at end,
         reminders_consent = case when ${TURNS_ON} then $8 else reminders_consent end,
         reminders_key = case when ${TURNS_ON} then coalesce(reminders_key, $9) else reminders_key end,
         reminders_unanswered = case when ${TURNS_ON} then 0 else reminders_unanswered end,
         reminders_stopped = case when $6 is null then reminders_stopped end,
         reminders = coalesce($6, reminders),
         support_access = coalesce($7, support_access),
         auto_advance = coalesce($10, auto_advance)
       where account_id = $1`,
      [
        accountId,
        change.exam ?? null,
        change.exam_date !== undefined,
        change.exam_date ?? null,
        change.daily_goal ?? null,
        change.reminders ?? null,
        change.support_access ?? null,
        change.reminders_consent ?? null,
        randomBytes(STOP_KEY_BYTES),
        change.auto_advance ?? null,
      ],
    );
  });
}

async function checkReminders(
  tx: Transaction,
  accountId: string,
  { reminders_consent }: LearningPlanRequest,
): Promise<void> {
  if (!reminders_consent) {
    throw new AppError('consent_required', {
      message: 'Send the version of the text that was agreed to',
      details: { field: 'reminders_consent' },
    });
  }
  if (await isAddressRefused(tx, accountId)) {
    throw new AppError('email_refused', {
      message: 'Mails to your address are refused. Change the address, and try again.',
      details: { field: 'reminders' },
    });
  }
}

/**
 * Stores how an exam went, without the account: only what readiness said stands beside it. Once for an exam
 * date; see `answerOutcome`.
 *
 * @param outcome.passed null when the learner does not want to say
 * @param outcome.probability the readiness of that day, for comparison; null when it says nothing
 * @throws AppError `account_disabled`
 */
export async function storeOutcome(
  db: Database,
  accountId: string,
  { passed, probability }: { passed: boolean | null; probability: number | null },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    const { rows } = await tx.query<{ exam: Exam }>(
      `update learner_plan set outcome_answered_for = exam_date
       where account_id = $1 and exam_date < ${TODAY}
         and outcome_answered_for is distinct from exam_date
       returning exam`,
      [accountId],
    );
    if (!rows[0] || passed === null) return;
    await tx.query('insert into exam_outcome (exam, passed, probability) values ($1, $2, $3)', [
      rows[0].exam,
      passed,
      probability,
    ]);
  });
}
