import type { RunningProcess } from '@proveklar/services/database/processes.ts';
import type { RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
import { createFactsReader, type Facts, type FactsDeps, type QueueCounts } from './facts.ts';
import { type Level, worstOf } from './finding.ts';
import { levelOfQueue, type QueueFacts } from './judge-queues.ts';
import { isLive, notForgotten } from './judge-service.ts';
import { judgeParts, type Part, pronounce, queueFacts } from './parts.ts';

export interface QueueRow {
  name: string;
  level: Level;
  /** Null while the queue does not answer. */
  counts: QueueCounts | null;
  /** Seconds; null while the database does not answer. */
  oldestSeconds: number | null;
  canaryAgeSeconds: number | null;
  /** Events that it could not take; null while the database does not answer. */
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

/** How the service is, as people and machines read it. It names no person. */
export interface Status {
  level: Level;
  /** One sentence. */
  verdict: string;
  at: string;
  /** What carries the queues. */
  backend: 'redis' | 'postgres';
  parts: Part[];
  queues: QueueRow[];
  /** Events that were set aside and wait for an operator. */
  rejections: RejectedGroup[];
  processes: ProcessRow[];
}

interface StatusDeps extends FactsDeps {
  isProduction: boolean;
}

/**
 * Makes the reading of the status, for a process of workers. Those who ask at the same time get the
 * same answer, within three seconds whatever is away.
 */
export function createStatusReader({ isProduction, ...deps }: StatusDeps): () => Promise<Status> {
  const readFacts = createFactsReader(deps);
  const sinceWhen = createHistory();
  let reading: Promise<Status> | undefined;

  async function read(): Promise<Status> {
    const facts = await readFacts();
    const at = new Date();
    const parts = judgeParts(facts, isProduction);
    return {
      level: worstOf(parts.map((part) => part.level)),
      verdict: pronounce(parts),
      at: at.toISOString(),
      backend: deps.backend.name,
      parts: parts.map((part) => ({ ...part, since: sinceWhen(part, at) })),
      queues: queueFacts(facts).map((queue) => toQueueRow(queue, facts)),
      rejections: facts.rejections?.groups ?? [],
      processes: notForgotten(facts.processes ?? []).map(toProcessRow),
    };
  }

  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
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
  const { kind, host, version, started_at: startedAt, seen_seconds_ago: seen, facts } = process;
  return {
    kind,
    host,
    version,
    startedAt: startedAt.toISOString(),
    seenSecondsAgo: seen,
    isLive: isLive(process),
    memoryBytes: facts.memory_bytes,
  };
}

/**
 * Remembers since when each part is as it is: by what it says itself, else by when this process first
 * saw it so.
 *
 * @returns a time; null for what was well from the first look on
 */
function createHistory() {
  const seen = new Map<string, { level: Level; since: Date | null }>();

  return ({ id, level, findings }: Omit<Part, 'since'>, at: Date): string | null => {
    const before = seen.get(id);
    if (before?.level !== level) {
      seen.set(id, { level, since: before === undefined && level === 'ok' ? null : at });
    }
    const told = findings[0]?.forSeconds;
    if (told !== undefined) return new Date(at.getTime() - told * 1000).toISOString();
    return seen.get(id)?.since?.toISOString() ?? null;
  };
}
