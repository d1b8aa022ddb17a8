import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

const UNIQUE_VIOLATION = '23505';

/** Whether an error says that the bank has an active question with this text already. */
export function isDuplicateText(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'question_text';
}

/** The error that names the other question with this text. */
export async function duplicateOf(
  db: Queryable,
  { language, question }: { language: string; question: string },
): Promise<AppError> {
  const { rows } = await db.query<{ id: number; uuid: string }>(
    `select id, uuid from question
     where language = $1 and text_key = question_text_key($2) and retired_at is null`,
    [language, question],
  );
  const details = rows[0] && { question_id: rows[0].id, uuid: rows[0].uuid };
  return new AppError('question_duplicate', { details: { field: 'question', ...details } });
}
