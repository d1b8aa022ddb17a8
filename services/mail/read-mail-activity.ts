import type { Queryable } from '#database/pool.ts';

/** Of the mails of the last day. */
export interface MailActivity {
  sent: number;
  refused: number;
  /** Seconds since one was sent; null when none was. */
  lastSeconds: number | null;
}

/** How mails go; those that wait are with their queue. */
export async function readMailActivity(db: Queryable): Promise<MailActivity> {
  const { rows } = await db.query<MailActivity>(
    `select count(sent_at)::int as sent, count(refused_at)::int as refused,
       extract(epoch from clock_timestamp() - max(sent_at))::float8 as "lastSeconds"
     from mail where id > (select uuidv7(interval '-1 day'))`,
  );
  return rows[0]!;
}
