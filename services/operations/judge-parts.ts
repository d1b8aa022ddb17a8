import { judgePolicy } from '#events/queue-health.ts';
import type { Facts } from './facts.ts';
import { fault, ok, unchecked, worstOf, type Finding } from './finding.ts';
import {
  judgeAttention,
  judgeCompared,
  judgeStripeRead,
  judgeUnknown,
  judgeWebhook,
} from './judge-books.ts';
import { judgeFoundation, judgePay, judgePractise, judgeSignIn } from './judge-learners.ts';
import { judgeOutbox, judgeQueues, judgeRejections, type QueueFacts } from './judge-queues.ts';
import {
  isLive,
  judgeBackup,
  judgeConnections,
  judgeImports,
  judgeMails,
  judgeProcesses,
} from './judge-service.ts';
import type { Part, PartId } from './status.ts';

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
  const policy = judgePolicy(evictionPolicy).map((problem) =>
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
