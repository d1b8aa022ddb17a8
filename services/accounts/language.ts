import type { Queryable } from '#database/pool.ts';

/** What we write to people in: Norwegian bokmål or English. */
export type Language = 'no' | 'en';

export const DEFAULT_LANGUAGE: Language = 'no';

/** What to write to a user in: the language of the account, or `otherwise` when there is none. */
export async function languageOfUser(
  db: Queryable,
  uid: string,
  otherwise: Language = DEFAULT_LANGUAGE,
): Promise<Language> {
  const { rows } = await db.query<{ language: Language }>(
    `select language from account where uid = $1 and state <> 'deleted'`,
    [uid],
  );
  return rows[0]?.language ?? otherwise;
}
