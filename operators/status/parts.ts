import { evictionPolicyProblems } from '@proveklar/services/events/queue-health.ts';
import type { Facts } from './facts.ts';
import { fault, type Finding, type Level, ok, unchecked, worstOf } from './finding.ts';
import {
  judgeAttention,
  judgeCompared,
  judgeStripeRead,
  judgeUnknown,
  judgeWebhook,
} from './judge-books.ts';
import { judgeOutbox, judgeQueues, judgeRejections, type QueueFacts } from './judge-queues.ts';
import {
  isLive,
  judgeBackup,
  judgeConnections,
  judgeFoundation,
  judgeImports,
  judgeMails,
  judgePay,
  judgePractise,
  judgeProcesses,
  judgeSignIn,
} from './judge-service.ts';

export const LEARNER_PARTS = ['practise', 'pay', 'sign-in'] as const;
type PartId =
  | (typeof LEARNER_PARTS)[number]
  | 'queues'
  | 'imports'
  | 'mails'
  | 'books'
  | 'backup'
  | 'database'
  | 'processes';

/** One number that says how much of it there is. */
interface Figure {
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

interface Judged {
  name: string;
  page: string;
  /** The number, and what it counts. */
  figure: (facts: Facts) => number | undefined;
  of: string;
  judge: (facts: Facts, isProduction: boolean) => Finding[];
}

const STATUS = 'docs/operations/status.md';
const BOOKS = 'docs/operations/payments.md';

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** In the order in which they are shown. */
const JUDGED: Record<PartId, Judged> = {
  practise: {
    name: 'Learners can practise',
    page: `${STATUS}#learners-can-practise`,
    figure: ({ quizzes }) => quizzes?.lastHour,
    of: 'quizzes begun in the last hour',
    judge: (facts) => [judgeFoundation(facts) ?? judgePractise(facts)],
  },
  pay: {
    name: 'Learners can pay',
    page: `${STATUS}#learners-can-pay`,
    figure: ({ settled }) => settled,
    of: 'payments in the last day',
    judge: (facts) => [judgeFoundation(facts) ?? judgePay(facts)],
  },
  'sign-in': {
    name: 'Learners can sign in',
    page: `${STATUS}#learners-can-sign-in`,
    figure: ({ registered }) => registered,
    of: 'new learners in the last day',
    judge: (facts) => [judgeFoundation(facts) ?? judgeSignIn(facts)],
  },
  queues: {
    name: 'Queues',
    page: `${STATUS}#the-queues`,
    figure: countWaiting,
    of: 'jobs wait or are worked on',
    judge: judgeEvents,
  },
  imports: {
    name: 'Imports',
    page: 'docs/operations/imports.md',
    figure: ({ imports }) => imports && imports.receiving + imports.working,
    of: 'under way',
    judge: ({ imports }) => [imports ? judgeImports(imports) : unread('imports')],
  },
  mails: {
    name: 'Mails',
    page: `${STATUS}#mails`,
    figure: ({ mails }) => mails?.sent,
    of: 'sent in the last day',
    judge: ({ mails }) => [mails ? judgeMails(mails) : unread('mails')],
  },
  books: {
    name: 'The books',
    page: BOOKS,
    figure: ({ attention }) => attention && sum(Object.values(attention)),
    of: 'payments need a person',
    judge: judgeBooks,
  },
  backup: {
    name: 'Backup',
    page: 'docs/operations/backup.md',
    figure: ({ backup }) =>
      backup?.ageSeconds === undefined ? undefined : Math.round(backup.ageSeconds / 3_600),
    of: 'hours since the last one',
    judge: ({ backup }, isProduction) => [
      backup ? judgeBackup(backup.ageSeconds, isProduction) : unread('backups'),
    ],
  },
  database: {
    name: 'PostgreSQL',
    page: `${STATUS}#postgresql`,
    figure: ({ connections }) => connections?.used,
    of: 'connections',
    judge: ({ databaseMs, connections }) => [
      databaseMs === undefined
        ? fault('it does not answer', 'Start PostgreSQL, or see in its log what ails it.')
        : ok(`it answered in ${Math.max(1, Math.round(databaseMs))} ms`),
      connections ? judgeConnections(connections) : unread('connections'),
    ],
  },
  processes: {
    name: 'Gateways and workers',
    page: `${STATUS}#gateways-and-workers`,
    figure: ({ processes }) => processes?.filter(isLive).length,
    of: 'processes run',
    judge: ({ processes }) => (processes ? judgeProcesses(processes) : [unread('processes')]),
  },
};

/** Every part without its history. */
export function judgeParts(facts: Facts, isProduction: boolean): Omit<Part, 'since'>[] {
  return Object.entries(JUDGED).map(([id, { name, page, figure, of, judge }]) => {
    const all = judge(facts, isProduction);
    const level = worstOf(all.map((it) => it.level));
    const worst = all.filter((it) => it.level !== 'ok').toSorted(byLevel);
    return {
      id: id as PartId,
      name: level === 'fault' ? name.replace(/^Learners can /, 'Learners cannot ') : name,
      level,
      figure: { value: figure(facts) ?? null, of },
      findings: worst.length > 0 ? worst : all.slice(0, 1),
      page,
    };
  });
}

const byLevel = (a: Finding, b: Finding) =>
  Number(b.level === 'fault') - Number(a.level === 'fault');

const unread = (what: string): Finding => unchecked(`${what} cannot be read`);

function countWaiting({ counts }: Facts): number | undefined {
  const all = [...counts.values()];
  if (all.includes(undefined)) return undefined;
  return sum(all.map((it) => it!.waiting + it!.active + it!.delayed));
}

function judgeEvents(facts: Facts): Finding[] {
  const { backlog, evictionPolicy, rejections } = facts;
  const policy = evictionPolicyProblems(evictionPolicy).map((problem) =>
    fault(problem, 'Start Redis, or correct its settings; nothing is lost meanwhile.'),
  );
  const outbox = backlog ? judgeOutbox(backlog.outboxOldestSeconds) : unread('the outbox');
  // Without Redis no queue moves, which says nothing more of any of them.
  const queues = evictionPolicy === undefined ? [] : judgeQueues(queueFacts(facts));
  const rejected = rejections ? judgeRejections(rejections) : unread('events that were set aside');
  return [...policy, outbox, ...queues, rejected];
}

/** What is known of each queue. */
export function queueFacts({ backlog, flows, counts, rejections }: Facts): QueueFacts[] {
  return [...counts].map(([name, jobs]) => ({
    name,
    oldestSeconds: backlog?.oldestByQueue[name],
    flow: flows?.[name],
    failed: jobs?.failed,
    isPaused: jobs?.isPaused,
    rejected: rejections?.byQueue[name],
  }));
}

function judgeBooks({ attention, unknownIntents, webhook, reconciled }: Facts): Finding[] {
  return [
    reconciled ? judgeStripeRead(reconciled) : unread('reconciliations'),
    ...(reconciled ? [judgeCompared(reconciled)] : []),
    attention ? judgeAttention(attention) : unread('payments'),
    unknownIntents ? judgeUnknown(unknownIntents) : unread('what is paid at Stripe only'),
    webhook ? judgeWebhook(webhook) : unread('what Stripe tells'),
  ];
}

const VERBS: Partial<Record<PartId, string>> = {
  practise: 'practise',
  pay: 'pay',
  'sign-in': 'sign in',
};

/** All parts in one sentence: first what learners cannot do and why, then what else is not well. */
export function pronounce(parts: readonly Omit<Part, 'since'>[]): string {
  const level = worstOf(parts.map((part) => part.level));
  if (level === 'ok') return 'All is well';
  const faults = parts.filter((part) => part.level === 'fault');
  const barred = faults.filter(({ id }) => LEARNER_PARTS.some((learner) => learner === id));
  if (barred.length > 0) {
    const verbs = barred.map(({ id }) => VERBS[id] ?? id);
    return `Learners cannot ${orList(verbs)}: ${reasons(barred)}`;
  }
  if (faults.length > 0) return `Learners are served, but ${reasons(faults)}`;
  const seen = parts.filter((part) => part.level === 'warning');
  const named = seen.map((part) => inSentence(part.name) + (seen.length > 2 ? '' : because(part)));
  return `It works. To look at: ${named.join(', ')}`;
}

function reasons(parts: readonly Omit<Part, 'since'>[]): string {
  return [...new Set(parts.map(({ findings }) => findings[0]?.found ?? ''))].join('; ');
}

/** "a", "a or b", "a, b or c". */
function orList(words: readonly string[]): string {
  const before = words.slice(0, -1).join(', ');
  return [...(before ? [before] : []), ...words.slice(-1)].join(' or ');
}

const because = ({ findings }: Omit<Part, 'since'>) => ` (${findings[0]?.found ?? ''})`;

const inSentence = (name: string) =>
  name.startsWith('PostgreSQL') ? name : name.charAt(0).toLowerCase() + name.slice(1);
