import { evictionPolicyProblems } from '@proveklar/services/events/queue-health.ts';
import type { Facts } from './facts.ts';
import { coded, fault, type Finding, type Level, ok, unreadable, worstOf } from './finding.ts';
import {
  evaluateAttention,
  evaluateComparison,
  evaluateReconciliation,
  evaluateUnknownPayments,
  evaluateWebhook,
} from './evaluate-payments.ts';
import {
  evaluateOutbox,
  evaluateQueues,
  evaluateRejections,
  type QueueFacts,
} from './evaluate-queues.ts';
import {
  isLive,
  evaluateBackup,
  evaluateConnections,
  findOutage,
  evaluateImports,
  evaluateMails,
  evaluateOffsite,
  evaluatePaying,
  evaluatePractice,
  evaluateProcesses,
  evaluateSignIn,
} from './evaluate-service.ts';

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

/** The one number shown of a part. */
interface Figure {
  /** Null: could not be read. */
  value: number | null;
  /** What is counted, in the plural. */
  of: string;
}

/** One part of the service on the status page. */
export interface Part {
  id: PartId;
  name: string;
  level: Level;
  figure: Figure;
  /** The problems, or one finding when there is none. */
  findings: Finding[];
  /** Start of the current level, as far as this process knows. */
  since: string | null;
  /** The document that says what it means and what to do. */
  page: string;
}

interface PartDefinition {
  name: string;
  page: string;
  figure: (facts: Facts) => number | undefined;
  /** What the figure counts. */
  of: string;
  evaluate: (facts: Facts, isProduction: boolean) => Finding[];
}

const STATUS = 'docs/operations/status.md';
const PAYMENTS = 'docs/operations/payments.md';

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** In the order of the page. */
const PARTS: Record<PartId, PartDefinition> = {
  practise: {
    name: 'Learners can practise',
    page: `${STATUS}#learners-can-practise`,
    figure: ({ quizzes }) => quizzes?.lastHour,
    of: 'quizzes started in the last hour',
    evaluate: (facts) => [findOutage(facts) ?? evaluatePractice(facts)],
  },
  pay: {
    name: 'Learners can pay',
    page: `${STATUS}#learners-can-pay`,
    figure: ({ settled }) => settled,
    of: 'payments in the last day',
    evaluate: (facts) => [findOutage(facts) ?? evaluatePaying(facts)],
  },
  'sign-in': {
    name: 'Learners can sign in',
    page: `${STATUS}#learners-can-sign-in`,
    figure: ({ registered }) => registered,
    of: 'new learners in the last day',
    evaluate: (facts) => [findOutage(facts) ?? evaluateSignIn(facts)],
  },
  queues: {
    name: 'Queues',
    page: `${STATUS}#the-queues`,
    figure: countWaiting,
    of: 'jobs waiting, active or delayed',
    evaluate: evaluateEvents,
  },
  imports: {
    name: 'Imports',
    page: 'docs/operations/imports.md',
    figure: ({ imports }) => imports && imports.receiving + imports.working,
    of: 'running',
    evaluate: ({ imports }) => [imports ? evaluateImports(imports) : unreadable('imports')],
  },
  mails: {
    name: 'Mails',
    page: `${STATUS}#mails`,
    figure: ({ mails }) => mails?.sent,
    of: 'sent in the last day',
    evaluate: ({ mails }) => [mails ? evaluateMails(mails) : unreadable('mails')],
  },
  books: {
    name: 'Payment reconciliation',
    page: PAYMENTS,
    figure: ({ attention }) => attention && sum(Object.values(attention)),
    of: 'payments need attention',
    evaluate: evaluatePayments,
  },
  backup: {
    name: 'Backup',
    page: 'docs/operations/backup.md',
    figure: ({ backup }) =>
      backup?.ageSeconds === undefined ? undefined : Math.round(backup.ageSeconds / 3_600),
    of: 'hours since the last one',
    evaluate: ({ backup }, isProduction) =>
      backup
        ? [
            evaluateBackup(backup.ageSeconds, isProduction),
            ...evaluateOffsite(backup.offsite, isProduction),
          ]
        : [unreadable('backups')],
  },
  database: {
    name: 'PostgreSQL',
    page: `${STATUS}#postgresql`,
    figure: ({ connections }) => connections?.used,
    of: 'connections',
    evaluate: ({ databaseMs, connections }) => [
      databaseMs === undefined
        ? coded(
            'database_silent',
            fault('it does not answer', 'Start PostgreSQL, or read in its log what is wrong.'),
          )
        : evaluateAnswer(Math.max(1, Math.round(databaseMs))),
      connections ? evaluateConnections(connections) : unreadable('connections'),
    ],
  },
  processes: {
    name: 'Gateways and workers',
    page: `${STATUS}#gateways-and-workers`,
    figure: ({ processes }) => processes?.filter(isLive).length,
    of: 'processes run',
    evaluate: ({ processes }) =>
      processes ? evaluateProcesses(processes) : [unreadable('processes')],
  },
};

/** Evaluates all parts; `since` is added by the caller, which remembers earlier levels. */
export function evaluateHealth(facts: Facts, isProduction: boolean): Omit<Part, 'since'>[] {
  return Object.entries(PARTS).map(([id, { name, page, figure, of, evaluate }]) => {
    const all = evaluate(facts, isProduction);
    const level = worstOf(all.map((finding) => finding.level));
    const worst = all.filter((finding) => finding.level !== 'ok').toSorted(byLevel);
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

const evaluateAnswer = (ms: number): Finding =>
  coded('database_answered', ok(`it answered in ${ms} ms`), { ms });

function countWaiting({ counts }: Facts): number | undefined {
  const all = [...counts.values()];
  if (all.includes(undefined)) return undefined;
  return sum(all.map((jobs) => jobs!.waiting + jobs!.active + jobs!.delayed));
}

function evaluateEvents(facts: Facts): Finding[] {
  const { backlog, evictionPolicy, rejections } = facts;
  const advice = 'Start Redis, or correct its settings. No event is lost meanwhile.';
  const policy = evictionPolicyProblems(evictionPolicy).map((problem) =>
    evictionPolicy
      ? coded('redis_policy', fault(problem, advice), { policy: evictionPolicy })
      : coded('redis_silent', fault(problem, advice)),
  );
  const outbox = backlog ? evaluateOutbox(backlog.outboxOldestSeconds) : unreadable('the outbox');
  // While Redis is unreachable no queue moves: findings of single queues would add nothing.
  const queues = evictionPolicy === undefined ? [] : evaluateQueues(queueFacts(facts));
  const rejected = rejections ? evaluateRejections(rejections) : unreadable('rejected events');
  return [...policy, outbox, ...queues, rejected];
}

/** The facts of each queue. */
export function queueFacts({ backlog, flows, counts, rejections, pauses }: Facts): QueueFacts[] {
  return [...counts].map(([name, jobs]) => ({
    name,
    oldestSeconds: backlog?.oldestByQueue[name],
    flow: flows?.[name],
    failed: jobs?.failed,
    isPaused: jobs?.isPaused,
    pausedSeconds: pauses?.get(name),
    rejected: rejections?.byQueue[name],
  }));
}

function evaluatePayments({ attention, unknownIntents, webhook, reconciled }: Facts): Finding[] {
  return [
    reconciled ? evaluateReconciliation(reconciled) : unreadable('reconciliations'),
    ...(reconciled ? [evaluateComparison(reconciled)] : []),
    attention ? evaluateAttention(attention) : unreadable('payments'),
    unknownIntents
      ? evaluateUnknownPayments(unknownIntents)
      : unreadable('payments known to Stripe only'),
    webhook ? evaluateWebhook(webhook) : unreadable('webhook events'),
  ];
}

const VERBS: Partial<Record<PartId, string>> = {
  practise: 'practise',
  pay: 'pay',
  'sign-in': 'sign in',
};

/** The verdict in one sentence: first what learners cannot do and why, then other problems. */
export function summarize(parts: readonly Omit<Part, 'since'>[]): string {
  const level = worstOf(parts.map((part) => part.level));
  if (level === 'ok') return 'All systems operational';
  const faults = parts.filter((part) => part.level === 'fault');
  const blocked = faults.filter(({ id }) => LEARNER_PARTS.some((learner) => learner === id));
  if (blocked.length > 0) {
    const verbs = blocked.map(({ id }) => VERBS[id] ?? id);
    return `Learners cannot ${orList(verbs)}: ${reasons(blocked)}`;
  }
  if (faults.length > 0) return `Learners are served, but ${reasons(faults)}`;
  const warnings = parts.filter((part) => part.level === 'warning');
  const named = warnings.map(
    (part) => inSentence(part.name) + (warnings.length > 2 ? '' : because(part)),
  );
  return `Operational, with warnings: ${named.join(', ')}`;
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
