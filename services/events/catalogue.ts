import { type Static, Type } from 'typebox';

const Id = Type.String({ format: 'uuid' });

const event = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The queues; each is consumed by the folder of the same name under `workers/`. */
export const QUEUES = [
  'statistics',
  'payments',
  'mail',
  'live',
  'imports',
  'regrades',
  'analysis',
  'changes',
  'near-duplicates',
] as const;

export type QueueName = (typeof QUEUES)[number];

interface EventDefinition {
  payload: ReturnType<typeof event>;
  /** Who must hear of it. An event with no queue is kept as a record only. */
  queues: readonly QueueName[];
  /** Many of these may travel in one job. Their handler does nothing outside of its transaction. */
  batch: boolean;
}

/**
 * Every event of the service: its name, what it carries (ids and small facts, never documents, and
 * nothing secret) and which queues must consume it.
 */
export const EVENTS = {
  /** A quiz was drawn. Each question counts as selected once. */
  'quiz.started': {
    payload: event({ quiz_id: Id, question_ids: Type.Array(Type.Integer()) }),
    queues: ['statistics'],
    batch: true,
  },
  /** An answer became final: at once in a drill, at hand-in in a practice test. */
  'answer.submitted': {
    payload: event({ quiz_id: Id, question_id: Type.Integer(), correct: Type.Boolean() }),
    queues: ['statistics'],
    batch: true,
  },
  /** A quiz was handed in: it tells how well its questions discriminate. */
  'quiz.ended': {
    payload: event({ quiz_id: Id }),
    queues: ['statistics'],
    batch: true,
  },
  /** Stripe told us something; what is true is read from Stripe. */
  'stripe.event_received': {
    payload: event({ stripe_event_id: Type.String() }),
    queues: ['payments'],
    batch: false,
  },
  /** A payment became service days. */
  'payment.succeeded': {
    payload: event({ payment_id: Id, account_id: Id }),
    queues: ['live', 'mail'],
    batch: false,
  },
  /**
   * A payment was begun, declined, settled, cancelled, refunded or disputed, or needs a person's
   * attention. The account is named when its service may have changed.
   */
  'payment.changed': {
    payload: event({ payment_id: Id, account_id: Type.Union([Id, Type.Null()]) }),
    queues: ['live'],
    batch: true,
  },
  /** A refund is to be made at Stripe. */
  'refund.requested': {
    payload: event({ refund_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** A learner withdrew from a purchase: the law wants that confirmed at once. */
  'payment.withdrawn': {
    payload: event({ refund_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** Stripe has paid money back that nobody withdrew for. Once for each refund. */
  'payment.refunded': {
    payload: event({ refund_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** Payments are to be compared with Stripe's. */
  'reconciliation.requested': {
    payload: event({ reconciliation_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** Somebody has paid and cannot get in: their payments are to be looked for. */
  'payment.search_requested': {
    payload: event({ search_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** The payments of a search are up to date: whoever searched is to be told what they are. */
  'payment.searched': {
    payload: event({ search_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An account's service ends soon. Once for each end. */
  'service.ending': {
    payload: event({ account_id: Id, expires_at: Type.String({ format: 'date-time' }) }),
    queues: ['mail'],
    batch: false,
  },
  /** Somebody has an account who had none: who paid, who registered while it is free, or by Google. */
  'account.registered': {
    payload: event({ account_id: Id }),
    queues: [],
    batch: true,
  },
  /** A paid registration took its address from an unverified identity: its owner is to be mailed. */
  'registration.reclaimed': {
    payload: event({ payment_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** An account was disabled, enabled or deleted, or its service or sessions changed. */
  'account.changed': {
    payload: event({ account_id: Id }),
    queues: ['live'],
    batch: true,
  },
  /** An administrator has disabled an account: its learner is to be told. The audit log's entry says why. */
  'account.disabled': {
    payload: event({ account_id: Id, entry_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An administrator has enabled a disabled account: its learner is to be told. */
  'account.enabled': {
    payload: event({ account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An account was deleted, by its learner or an administrator: nothing but receipts is left, and a mail to be sent. */
  'account.deleted': {
    payload: event({ account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** A deletion is to be completed: it stopped halfway, or the account's address was reclaimed. */
  'account.deletion_interrupted': {
    payload: event({ account_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** A learner reported a question, for the first time. */
  'feedback.reported': {
    payload: event({ feedback_id: Id, question_id: Type.Integer() }),
    queues: ['statistics'],
    batch: true,
  },
  /** An administrator closed a question's reports. */
  'feedback.closed': {
    payload: event({ question_id: Type.Integer() }),
    queues: ['live'],
    batch: true,
  },
  /** Reports that were closed are open again: an administrator, or another report, opened them. */
  'feedback.reopened': {
    payload: event({ question_id: Type.Integer() }),
    queues: ['live'],
    batch: true,
  },
  /** A question had a wrong key. The quizzes that showed it are to be regraded. */
  'question.key_corrected': {
    payload: event({ question_id: Type.Integer(), regrade_id: Id }),
    queues: ['regrades'],
    batch: false,
  },
  /** A corrected key changed results of a learner: once for each correction and learner. */
  'result.regraded': {
    payload: event({ regrade_id: Id, account_id: Id }),
    queues: ['live', 'mail'],
    batch: false,
  },
  /** An import was begun, or somebody wants something of it: its state says what. */
  'import.changed': {
    payload: event({ import_id: Id }),
    queues: ['imports'],
    batch: false,
  },
  /** An import is complete and its questions can be seen. */
  'question.imported': {
    payload: event({ import_id: Id, imported: Type.Integer() }),
    queues: ['analysis', 'near-duplicates'],
    batch: false,
  },
  /** Sent through every queue, to see that it comes out: the canary in the mine. */
  'canary.sent': {
    payload: event({}),
    queues: QUEUES,
    batch: false,
  },
  /** An administrator changes many questions, or takes that back. */
  'questions.change_requested': {
    payload: event({ change_id: Id }),
    queues: ['changes'],
    batch: false,
  },
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof EVENTS;

export type EventPayload<N extends EventName> = Static<(typeof EVENTS)[N]['payload']>;

/** What every queue consumes in the same way, without a handler of its own. */
export const CANARY = 'canary.sent' satisfies EventName;

/** The names of the events that a queue must have a handler for. */
export type EventOf<Q extends QueueName> = {
  [N in EventName]: Q extends (typeof EVENTS)[N]['queues'][number] ? N : never;
}[Exclude<EventName, typeof CANARY>];

/** An event as a consumer receives it. */
export interface DeliveredEvent<N extends EventName> {
  id: string;
  payload: EventPayload<N>;
  /** Which request it comes from, for logs and traces: read it with `readTrace`. */
  trace?: unknown;
}
