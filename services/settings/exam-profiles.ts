import type { Exam } from '@proveklar/contract/quiz.ts';
import { nameOf, type Actor } from '#audit/actor.ts';
import { changesBetween, recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

/** How a practice test is put together, and where that is published. */
export interface ExamProfile extends ExamFigures {
  name: Exam;
  /** When an administrator last changed it, and which; null before the first time. */
  updated_at: Date | null;
  updated_by: string | null;
}

export interface ExamFigures {
  questions_shown: number;
  /** Of those shown; the others are drawn at random and stand outside the score. */
  questions_counted: number;
  /** Right answers that pass, of those that count. */
  pass_mark: number;
  minutes: number;
  source_url: string;
  /** The day, `YYYY-MM-DD`, on which somebody last compared them with the source. */
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
 * Changes an exam profile for the tests that begin from now on: those under way, and those that have
 * ended, keep the questions, the time and the pass mark that they began with.
 *
 * @throws AppError `validation_failed` when the figures do not fit together
 */
export async function changeExamProfile(
  db: Database,
  actor: Actor,
  name: ExamProfile['name'],
  figures: ExamFigures,
): Promise<ExamProfile> {
  await validate(db, figures);
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.query<ExamProfile>(
      `select ${PROFILE} from exam_profile where name = $1 for update`,
      [name],
    );
    const profile = rows[0];
    if (!profile) throw new AppError('not_found');
    const changes = changesBetween<ExamFigures>(profile, figures);
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
        figures.questions_shown,
        figures.questions_counted,
        figures.pass_mark,
        figures.minutes,
        figures.source_url,
        figures.checked_at,
        nameOf(actor),
      ],
    );
    return changed[0]!;
  });
}

async function validate(db: Queryable, figures: ExamFigures): Promise<void> {
  const { questions_shown, questions_counted, pass_mark, checked_at } = figures;
  if (questions_counted > questions_shown) {
    throw fault('questions_counted', `must be at most questions_shown (${questions_shown})`);
  }
  if (pass_mark > questions_counted) {
    throw fault('pass_mark', `must be at most questions_counted (${questions_counted})`);
  }
  const { rows } = await db.query<{ is_to_come: boolean }>(
    `select $1::date > (now() at time zone 'Europe/Oslo')::date as is_to_come`,
    [checked_at],
  );
  if (rows[0]!.is_to_come) throw fault('checked_at', 'must not be in the future');
}

function fault(field: string, rule: string): AppError {
  return new AppError('validation_failed', {
    message: `${field} ${rule}`,
    details: { field, part: 'body' },
  });
}
