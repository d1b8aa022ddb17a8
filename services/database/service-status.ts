import Compile from 'typebox/compile';
import { ServiceStatus } from '@proveklar/contract/operations.ts';
import type { Queryable } from './pool.ts';

const validator = Compile(ServiceStatus);

/** Stores the status that a worker found, over an older one. */
export async function storeStatus(db: Queryable, status: ServiceStatus): Promise<void> {
  await db.query(
    `insert into service_status (at, status) values ($1, $2)
     on conflict (only_row) do update set at = excluded.at, status = excluded.status
     where service_status.at < excluded.at`,
    [status.at, status],
  );
}

/** The status as a worker found it last; null before the first, or when another version wrote it. */
export async function readStatus(db: Queryable): Promise<ServiceStatus | null> {
  const { rows } = await db.query<{ status: unknown }>('select status from service_status');
  const status = rows[0]?.status;
  return validator.Check(status) ? status : null;
}

const MAX_BACKUPS = 10;

/** The latest backups, newest first. */
export async function listBackups(
  db: Queryable,
): Promise<{ started_at: Date; ended_at: Date; bytes: number }[]> {
  const { rows } = await db.query<{ started_at: Date; ended_at: Date; bytes: number }>(
    `select started_at, ended_at, bytes::float8 as bytes from backup_run
     order by started_at desc limit ${MAX_BACKUPS}`,
  );
  return rows;
}
