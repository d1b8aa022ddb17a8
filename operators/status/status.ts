import type { ServiceStatus } from '@proveklar/contract/operations.ts';
import type { RunningProcess } from '@proveklar/services/database/processes.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { storeStatus } from '@proveklar/services/database/service-status.ts';
import type { RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
import { createFactsReader, type Facts, type FactsDeps, type QueueCounts } from './facts.ts';
import { type Level, worstOf } from './finding.ts';
import { levelOfQueue, type QueueFacts } from './evaluate-queues.ts';
import { isLive, recentProcesses } from './evaluate-service.ts';
import { evaluateHealth, type Part, summarize, queueFacts } from './parts.ts';

export interface QueueRow {
  name: string;
  level: Level;
  /** Null while the queue does not answer. */
  counts: QueueCounts | null;
  /** Seconds; null while the database does not answer. */
  oldestSeconds: number | null;
  canaryAgeSeconds: number | null;
  /** Open rejected events; null while the database does not answer. */
  rejected: number | null;
}

export interface ProcessRow {
  kind: 'gateway' | 'workers';
  host: string;
  version: string;
  startedAt: string;
  seenSecondsAgo: number;
  isLive: boolean;
  memoryBytes: number;
}

/** The status of the service, for people and machines. It holds no personal data. */
export interface Status {
  level: Level;
  /** One sentence. */
  verdict: string;
  at: string;
  /** Where the queues are. */
  backend: 'redis' | 'postgres';
  parts: Part[];
  queues: QueueRow[];
  /** Open rejected events, grouped. */
  rejections: RejectedGroup[];
  processes: ProcessRow[];
}

interface StatusDeps extends FactsDeps {
  isProduction: boolean;
}

/**
 * Creates the reader of the status, for a worker process. Concurrent callers share one answer, which
 * comes within three seconds whatever is unreachable.
 */
export function createStatusReader({ isProduction, ...deps }: StatusDeps): () => Promise<Status> {
  const readFacts = createFactsReader(deps);
  const sinceWhen = createHistory();
  let reading: Promise<Status> | undefined;

  async function read(): Promise<Status> {
    const facts = await readFacts();
    const at = new Date();
    const parts = evaluateHealth(facts, isProduction);
    return {
      level: worstOf(parts.map((part) => part.level)),
      verdict: summarize(parts),
      at: at.toISOString(),
      backend: deps.backend.name,
      parts: parts.map((part) => ({ ...part, since: sinceWhen(part, at) })),
      queues: queueFacts(facts).map((queue) => toQueueRow(queue, facts)),
      rejections: facts.rejections?.groups ?? [],
      processes: recentProcesses(facts.processes ?? []).map(toProcessRow),
    };
  }

  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/**
 * Stores the status for the portal, which a gateway serves. A failure is ignored: the portal then shows how
 * old the last one is.
 */
export async function recordStatus(db: Database, readStatus: () => Promise<Status>): Promise<void> {
  const status = await readStatus();
  await storeStatus(db, toServiceStatus(status)).catch(() => {});
}

/** The status as the portal shows it. */
function toServiceStatus(status: Status): ServiceStatus {
  const { level, verdict, at, backend, parts, queues, processes } = status;
  return {
    level,
    verdict,
    at,
    backend,
    parts: parts.map(({ id, name, level: partLevel, figure, findings, since }) => ({
      id,
      name,
      level: partLevel,
      figure: figure.value,
      figure_of: figure.of,
      findings: findings.map(
        ({ level: found, found: text, advice = null, code = null, values = {} }) => ({
          level: found,
          found: text,
          advice,
          code,
          values,
        }),
      ),
      since,
    })),
    queues: queues.map(({ name, level: queueLevel, counts, oldestSeconds, rejected }) => ({
      name,
      level: queueLevel,
      depth: counts && counts.waiting + counts.active + counts.delayed,
      failed: counts && counts.failed,
      paused: counts?.isPaused ?? false,
      oldest_seconds: oldestSeconds,
      rejected,
    })),
    processes: processes.map(
      ({ kind, host, version, startedAt, seenSecondsAgo, isLive: live }) => ({
        kind,
        host,
        version,
        started_at: startedAt,
        seen_seconds_ago: seenSecondsAgo,
        live,
      }),
    ),
  };
}

function toQueueRow(queue: QueueFacts, { counts }: Facts): QueueRow {
  const { name, oldestSeconds, flow, rejected } = queue;
  return {
    name,
    level: levelOfQueue(queue),
    counts: counts.get(name) ?? null,
    oldestSeconds: oldestSeconds ?? null,
    canaryAgeSeconds: flow?.canaryAgeSeconds ?? null,
    rejected: rejected ?? null,
  };
}

function toProcessRow(process: RunningProcess): ProcessRow {
  const {
    kind,
    host,
    version,
    started_at: startedAt,
    seen_seconds_ago: seenSecondsAgo,
    facts,
  } = process;
  return {
    kind,
    host,
    version,
    startedAt: startedAt.toISOString(),
    seenSecondsAgo,
    isLive: isLive(process),
    memoryBytes: facts.memory_bytes,
  };
}

/**
 * Remembers since when each part has its level: by the finding's own duration, otherwise by when this
 * process first saw the level.
 *
 * @returns a function that gives the time; null for a part that was OK from the start
 */
function createHistory() {
  const levels = new Map<string, { level: Level; since: Date | null }>();

  return ({ id, level, findings }: Omit<Part, 'since'>, at: Date): string | null => {
    const previous = levels.get(id);
    if (previous?.level !== level) {
      levels.set(id, { level, since: previous === undefined && level === 'ok' ? null : at });
    }
    const seconds = findings[0]?.forSeconds;
    if (seconds !== undefined) return new Date(at.getTime() - seconds * 1000).toISOString();
    return levels.get(id)?.since?.toISOString() ?? null;
  };
}
