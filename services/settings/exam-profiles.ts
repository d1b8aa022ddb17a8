import type { Exam } from '@proveklar/contract/quiz.ts';
import { nameOf, type Actor } from '#audit/actor.ts';
import { changesBetween, recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

/** The parameters of a practice test, and where they are published. */
export interface ExamProfile extends ExamParameters {
  name: Exam;
  /** When an administrator last changed it, and who; null before the first change. */
  updated_at: Date | null;
  updated_by: string | null;
}

export interface ExamParameters {
  questions_shown: number;
  /** Of the questions shown. The others are trial questions, chosen at random, and do not count. */
  questions_counted: number;
  /** Right answers needed to pass, of the questions that count. */
  pass_mark: number;
  minutes: number;
  source_url: string;
  /** The day, `YYYY-MM-DD`, on which an administrator last compared them with the source. */
  checked_at: string;
}

const PROFILE = `
  name, questions_shown, questions_counted, pass_mark, minutes, source_url,
  to_char(checked_at, 'YYYY-MM-DD') as checked_at, updated_at, updated_by`;

export async function listExamProfiles(db: Queryable): Promise<ExamProfile[]> {
  const { rows } = await db.query<ExamProfile>(`select ${PROFILE} from exam_profile order by name`);
  return rows;
}

/**
 * Changes an exam profile for tests that start from now on. Open and ended tests keep their questions, time
 * and pass mark.
 *
 * @throws AppError `validation_failed` when the parameters contradict each other
 */
export async function changeExamProfile(
  db: Database,
  actor: Actor,
  name: ExamProfile['name'],
  parameters: ExamParameters,
): Promise<ExamProfile> {
  await validate(db, parameters);
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.query<ExamProfile>(
      `select ${PROFILE} from exam_profile where name = $1 for update`,
      [name],
    );
    const profile = rows[0];
    if (!profile) throw new AppError('not_found');
    const changes = changesBetween<keyof ExamParameters>(profile, parameters);
    if (Object.keys(changes).length === 0) return profile;
    await recordAction(tx, {
      actor,
      action: 'exam_profile.updated',
      subject: name,
      details: { changes },
    });
    const { rows: changed } = await tx.query<ExamProfile>(
      `update exam_profile set
         questions_shown = $2, questions_counted = $3, pass_mark = $4, minutes = $5,
         source_url = $6, checked_at = $7, updated_at = now(), updated_by = $8
       where name = $1 returning ${PROFILE}`,
      [
        name,
        parameters.questions_shown,
        parameters.questions_counted,
        parameters.pass_mark,
        parameters.minutes,
        parameters.source_url,
        parameters.checked_at,
        nameOf(actor),
      ],
    );
    return changed[0]!;
  });
}

async function validate(db: Queryable, parameters: ExamParameters): Promise<void> {
  const { questions_shown, questions_counted, pass_mark, checked_at } = parameters;
  if (questions_counted > questions_shown) {
    throw fault('questions_counted', `must be at most questions_shown (${questions_shown})`);
  }
  if (pass_mark > questions_counted) {
    throw fault('pass_mark', `must be at most questions_counted (${questions_counted})`);
  }
  const { rows } = await db.query<{ is_in_future: boolean }>(
    `select $1::date > (now() at time zone 'Europe/Oslo')::date as is_in_future`,
    [checked_at],
  );
  if (rows[0]!.is_in_future) throw fault('checked_at', 'must not be in the future');
}

function fault(field: string, rule: string): AppError {
  return new AppError('validation_failed', {
    message: `${field} ${rule}`,
    details: { field, part: 'body' },
  });
}
