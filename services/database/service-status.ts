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

interface Backup {
  started_at: Date;
  ended_at: Date;
  bytes: number;
  /** When its copy was off the machine. */
  sent_at: Date | null;
}

/** The latest backups, newest first. */
export async function listBackups(db: Queryable): Promise<Backup[]> {
  const { rows } = await db.query<Backup>(
    `select started_at, ended_at, bytes::float8 as bytes, sent_at
     from backup_run left join backup_copy on dumped_at = started_at
     order by started_at desc limit ${MAX_BACKUPS}`,
  );
  return rows;
}

interface RestoreTest {
  dumped_at: Date;
  verified_at: Date;
  verified_rows: number;
}

/** The last test restore of a copy off the machine; null before the first. */
export async function readRestoreTest(db: Queryable): Promise<RestoreTest | null> {
  const { rows } = await db.query<RestoreTest>(
    `select dumped_at, verified_at, verified_rows::float8 as verified_rows
     from backup_copy where verified_at is not null order by verified_at desc limit 1`,
  );
  return rows[0] ?? null;
}
