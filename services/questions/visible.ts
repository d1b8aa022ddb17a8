import type { Queryable } from '#database/pool.ts';

/**
 * The imports whose rows are in the bank and must not be seen: all that did not come to their end, or
 * were refused. What an import brought that is being undone, or was, is seen for as long as it is
 * there: retired questions which quizzes have.
 */
export async function hiddenImports(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where state <> 'completed' and state not in ('undoing', 'undone') and removed_at is null`,
  );
  return rows.map((row) => row.id);
}

/** SQL: whether a row of `question` may be seen, for a single one. */
export const IS_VISIBLE = `
  not exists (select from question_import
    where question_import.id = question.import_id
      and state <> 'completed' and state not in ('undoing', 'undone'))`;
