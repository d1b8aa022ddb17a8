import type { Finding, Level } from './finding.ts';
import type { RejectedGroup } from '#events/rejected-events.ts';
import type { QueueCounts } from './facts.ts';

export const LEARNER_PARTS = ['practise', 'pay', 'sign-in'] as const;
const OTHER_PARTS = [
  'queues',
  'imports',
  'mails',
  'books',
  'backup',
  'database',
  'processes',
] as const;
export const PARTS = [...LEARNER_PARTS, ...OTHER_PARTS] as const;
export type PartId = (typeof PARTS)[number];

/** One number that says how much of it there is. */
export interface Figure {
  /** Null where it could not be read. */
  value: number | null;
  /** What is counted, in the plural. */
  of: string;
}

/** One thing that must be well. */
export interface Part {
  id: PartId;
  name: string;
  level: Level;
  figure: Figure;
  /** What is not well, or one sentence when all is. */
  findings: Finding[];
  /** Since when it is as it is, as far as this process knows. */
  since: string | null;
  /** The page that says what it means and what to do. */
  page: string;
}

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

/** How the service is, as people and machines read it. It tells of no person. */
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
