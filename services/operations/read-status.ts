import { createFactsReader, type Facts, type FactsDeps } from './facts.ts';
import { worstOf } from './finding.ts';
import { judgeParts, queueFacts } from './judge-parts.ts';
import { levelOfQueue, type QueueFacts } from './judge-queues.ts';
import { isLive, notForgotten } from './judge-service.ts';
import { createHistory } from './history.ts';
import type { RunningProcess } from './processes.ts';
import type { ProcessRow, QueueRow, Status } from './status.ts';
import { pronounce } from './verdict.ts';

export interface StatusDeps extends FactsDeps {
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
