import type { Queryable } from './pool.ts';

export interface Connections {
  used: number;
  most: number;
}

/** How many connections the whole server has, and may have for who is no superuser. */
export async function readConnections(db: Queryable): Promise<Connections> {
  const { rows } = await db.query<Connections>(
    `select count(*)::int as used,
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int as most
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0]!;
}
