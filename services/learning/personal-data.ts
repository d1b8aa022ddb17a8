import type { Database, Transaction } from '#database/pool.ts';
import { readLearning } from './read-learning.ts';

/** What an account remembers and plans, for its export. Times are ISO 8601, days of Europe/Oslo. */
export async function exportLearning(
  db: Database,
  { id: accountId, language }: { id: string; language: string },
) {
  const { rows: questions } = await db.query<{
    uuid: string;
    times_shown: number;
    times_right: number;
    first_correct: boolean;
    last_correct: boolean;
    last_answered_at: Date;
    stability_days: number;
    difficulty: number;
    due_on: string;
  }>(
    `select question.uuid, times_shown, times_right, first_correct, last_correct, last_answered_at,
       stability as stability_days, known.difficulty, due_on::text as due_on
     from learner_question known join question on question.id = known.question_id
     where known.account_id = $1 order by last_answered_at desc, question.id`,
    [accountId],
  );
  const { rows: plans } = await db.query<{
    exam: string;
    exam_date: string | null;
    daily_goal: number;
    reminders: boolean;
    reminders_changed_at: Date | null;
    reminders_consent: string | null;
    reminders_agreed_at: Date | null;
    reminders_unanswered: number;
    reminders_stopped: string | null;
    last_reminded_on: string | null;
    support_access: boolean;
    auto_advance: boolean | null;
    outcome_answered_for: string | null;
  }>(
    `select exam, exam_date::text as exam_date, daily_goal, reminders, reminders_changed_at,
       reminders_consent, reminders_agreed_at, reminders_unanswered, reminders_stopped,
       last_reminded_on::text as last_reminded_on, support_access, auto_advance,
       outcome_answered_for::text as outcome_answered_for
     from learner_plan where account_id = $1`,
    [accountId],
  );
  const [plan] = plans;
  const { readiness } = await readLearning(db, accountId, language);
  return {
    plan: plan
      ? {
          ...plan,
          reminders_changed_at: plan.reminders_changed_at?.toISOString() ?? null,
          reminders_agreed_at: plan.reminders_agreed_at?.toISOString() ?? null,
        }
      : null,
    readiness,
    questions: questions.map((row) => ({
      ...row,
      last_answered_at: row.last_answered_at.toISOString(),
    })),
  };
}

/** Removes what an account remembers and plans. */
export async function eraseLearning(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('delete from learner_question where account_id = $1', [accountId]);
  await tx.query('delete from learner_plan where account_id = $1', [accountId]);
}

/**
 * Removes what a worker wrote for an account in the moment in which it was deleted: its answers were read
 * before they were gone.
 */
export async function forgetDeletedLearning(tx: Transaction): Promise<void> {
  await tx.query(
    // An array, so that each deleted account is a look-up, however many rows the others have.
    `delete from learner_question
     where account_id = any (array(select id from account where state = 'deleted'))`,
  );
}
