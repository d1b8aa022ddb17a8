import { hostname } from 'node:os';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';
import type { Database, Queryable } from './pool.ts';

/** A gateway or worker process, as of its last heartbeat. */
export interface RunningProcess {
  id: string;
  kind: 'gateway' | 'workers';
  host: string;
  version: string;
  started_at: Date;
  seen_at: Date;
  /** Seconds since the last heartbeat, by the database's clock. */
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
  intervalMs?: number;
}

const HEARTBEAT_INTERVAL_MS = 5_000;
/** A process without a heartbeat for this long has stopped or hangs. */
export const PROCESS_STALE_S = 20;
const DEREGISTER_TIMEOUT_MS = 1_000;

/**
 * Records every five seconds that a process runs. A failed heartbeat is ignored: nothing else depends
 * on it. Processes without a heartbeat for a day are deleted.
 *
 * @returns `stop` ends the heartbeat and removes the process. It takes at most one second, because a
 *   stopping process needs its time for the requests under way.
 */
export function startHeartbeat(
  db: Database,
  { kind, version, intervalMs = HEARTBEAT_INTERVAL_MS }: HeartbeatOptions,
): { stop: () => Promise<void> } {
  const id = crypto.randomUUID();
  const startedAt = new Date(Date.now() - process.uptime() * 1000);
  let beating: Promise<void> | undefined;
  const beat = () => {
    beating ??= writeHeartbeat(db, { id, kind, version, startedAt })
      .catch(() => {})
      .finally(() => {
        beating = undefined;
      });
  };
  beat();
  const timer = setInterval(beat, intervalMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      const deregister = async () => {
        await beating;
        await db.query('delete from process where id = $1', [id]);
      };
      await tryWithTimeout(DEREGISTER_TIMEOUT_MS, deregister());
    },
  };
}

/** The processes of the last day: gateways before workers, the newest first. */
export async function readProcesses(db: Queryable): Promise<RunningProcess[]> {
  const { rows } = await db.query<RunningProcess>(
    `select process.*,
       extract(epoch from clock_timestamp() - seen_at)::float8 as seen_seconds_ago
     from process order by kind, started_at desc limit 1000`,
  );
  return rows;
}

/** Counts the worker processes with a recent heartbeat, this one included. */
export async function countWorkers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from process
     where kind = 'workers' and seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [PROCESS_STALE_S],
  );
  return rows[0]!.n;
}

interface Heartbeat extends Pick<RunningProcess, 'id' | 'kind' | 'version'> {
  startedAt: Date;
}

async function writeHeartbeat(
  db: Database,
  { id, kind, version, startedAt }: Heartbeat,
): Promise<void> {
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
