import { hostname } from 'node:os';
import { inTime } from '#lifecycle/in-time.ts';
import type { Database, Queryable } from './pool.ts';

/** A gateway or a process of workers, as it last spoke of itself. */
export interface RunningProcess {
  id: string;
  kind: 'gateway' | 'workers';
  host: string;
  version: string;
  started_at: Date;
  seen_at: Date;
  /** Seconds since, by the database's clock. */
  seen_seconds_ago: number;
  facts: ProcessFacts;
}

interface ProcessFacts {
  pid: number;
  node: string;
  /** Resident memory, in bytes. */
  memory_bytes: number;
}

interface HeartbeatOptions {
  kind: RunningProcess['kind'];
  version: string;
  everyMs?: number;
}

const EVERY_MS = 5_000;
/** One that has said nothing for so long runs no more, or hangs. In seconds. */
export const PROCESS_SILENT_S = 20;
const LEAVE_TIMEOUT_MS = 1_000;

/**
 * Lets a process say every five seconds that it runs. It says nothing while the database is away, and
 * nothing else depends on it; what says nothing for a day is forgotten.
 *
 * @returns stops it, and takes the process off the list; for at most a second, because a process that
 *   ends needs the time for the requests under way
 */
export function startHeartbeat(
  db: Database,
  { kind, version, everyMs = EVERY_MS }: HeartbeatOptions,
): { stop: () => Promise<void> } {
  const id = crypto.randomUUID();
  const startedAt = new Date(Date.now() - process.uptime() * 1000);
  let beating: Promise<void> | undefined;
  const beat = () => {
    beating ??= tell(db, { id, kind, version, startedAt })
      .catch(() => {})
      .finally(() => {
        beating = undefined;
      });
  };
  beat();
  const timer = setInterval(beat, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      const leave = async () => {
        await beating;
        await db.query('delete from process where id = $1', [id]);
      };
      await inTime(LEAVE_TIMEOUT_MS, leave());
    },
  };
}

/** The processes of the last day; the newest first, and gateways before workers. */
export async function readProcesses(db: Queryable): Promise<RunningProcess[]> {
  const { rows } = await db.query<RunningProcess>(
    `select process.*,
       extract(epoch from clock_timestamp() - seen_at)::float8 as seen_seconds_ago
     from process order by kind, started_at desc limit 1000`,
  );
  return rows;
}

/** How many processes of workers have spoken lately, this one or not. */
export async function countWorkers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from process
     where kind = 'workers' and seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [PROCESS_SILENT_S],
  );
  return rows[0]!.n;
}

interface Beat extends Pick<RunningProcess, 'id' | 'kind' | 'version'> {
  startedAt: Date;
}

async function tell(db: Database, { id, kind, version, startedAt }: Beat): Promise<void> {
  const { pid, version: node } = process;
  const facts: ProcessFacts = { pid, node, memory_bytes: process.memoryUsage.rss() };
  await db.query({
    name: 'heartbeat',
    text: `with forgotten as (
             delete from process where seen_at < clock_timestamp() - interval '1 day')
           insert into process (id, kind, host, version, started_at, seen_at, facts)
           values ($1, $2, $3, $4, $5, clock_timestamp(), $6)
           on conflict (id) do update set seen_at = excluded.seen_at, facts = excluded.facts`,
    values: [id, kind, hostname(), version, startedAt, facts],
  });
}
