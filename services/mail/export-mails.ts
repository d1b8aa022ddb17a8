import type { Queryable } from '#database/pool.ts';
import type { Language } from '#accounts/language.ts';

interface Row {
  kind: string;
  language: Language;
  begun_at: Date;
  sent_at: Date | null;
  refused_at: Date | null;
}

/** The mails to an account, the newest first. What stood in them is not kept. */
export async function exportMails(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select kind, language, uuid_extract_timestamp(id) as begun_at, sent_at, refused_at
     from mail where account_id = $1 order by id desc`,
    [accountId],
  );
  return rows.map(({ kind, language, begun_at, sent_at, refused_at }) => ({
    kind,
    language,
    begun_at: begun_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
    refused_at: refused_at?.toISOString() ?? null,
  }));
}
