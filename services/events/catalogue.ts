import { type Static, Type } from 'typebox';

const Id = Type.String({ format: 'uuid' });

const event = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The queues; each is consumed by the file of the same name in `workers/`. */
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
  /** The queues that consume the event. An event without a queue is only stored. */
  queues: readonly QueueName[];
  /** One job may carry many of these events. Their handler has no effect outside its transaction. */
  batch: boolean;
}

/**
 * Every event of the service: its name, its payload (ids and small facts, never documents or
 * secrets) and the queues that consume it.
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
  /** A quiz was handed in. Its score feeds the discrimination of its questions. */
  'quiz.ended': {
    payload: event({ quiz_id: Id }),
    queues: ['statistics'],
    batch: true,
  },
  /** A webhook event arrived from Stripe. The handler reads the current state from Stripe. */
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
  /** A packet was paid and has its codes. The buyer gets a mail with them. */
  'packet.settled': {
    payload: event({ payment_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** A code became service days. The owner of the account gets a mail. */
  'code.redeemed': {
    payload: event({ account_id: Id, code_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /**
   * A payment was started, declined, settled, cancelled, refunded or disputed, or needs an
   * administrator's attention. The payload names the account when its service may have changed.
   */
  'payment.changed': {
    payload: event({ payment_id: Id, account_id: Type.Union([Id, Type.Null()]) }),
    queues: ['live'],
    batch: true,
  },
  /**
   * The bank is processing a payment. The payer gets a mail if that takes longer than a moment since then, by
   * PostgreSQL's clock.
   */
  'payment.processing': {
    payload: event({ payment_id: Id, since: Type.String({ format: 'date-time' }) }),
    queues: ['mail'],
    batch: false,
  },
  /** A payment that the bank was processing failed: nothing was charged. The payer gets a mail. */
  'payment.failed': {
    payload: event({ payment_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** A refund must be created at Stripe. */
  'refund.requested': {
    payload: event({ refund_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** A learner withdrew from a purchase. The law requires an immediate confirmation. */
  'payment.withdrawn': {
    payload: event({ refund_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** Stripe made a refund that follows no withdrawal. Once for each refund. */
  'payment.refunded': {
    payload: event({ refund_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** Payments must be compared with those at Stripe. */
  'reconciliation.requested': {
    payload: event({ reconciliation_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** A learner has paid and cannot sign in. Their payments must be looked up. */
  'payment.search_requested': {
    payload: event({ search_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** The payments of a search are up to date. The learner who searched gets a mail that lists them. */
  'payment.searched': {
    payload: event({ search_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An account's service ends soon. Once for each expiry date. */
  'service.ending': {
    payload: event({ account_id: Id, expires_at: Type.String({ format: 'date-time' }) }),
    queues: ['mail'],
    batch: false,
  },
  /** A learner who asked for it is reminded today, if it is sent before this time. Once for each day. */
  'reminder.due': {
    payload: event({
      account_id: Id,
      day: Type.String({ format: 'date' }),
      send_before: Type.String({ format: 'date-time' }),
    }),
    queues: ['mail'],
    batch: false,
  },
  /** A learner gets a message that an administrator wrote. Once for each message and learner. */
  'message.due': {
    payload: event({ message_id: Id, account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An administrator wants to see a message in their own mailbox. The audit entry has the address. */
  'message.test_requested': {
    payload: event({ message_id: Id, entry_id: Id, revision: Type.Integer() }),
    queues: ['mail'],
    batch: false,
  },
  /** An account was created: by a payment, by a free registration, or by signing in with Google. */
  'account.registered': {
    payload: event({ account_id: Id }),
    queues: [],
    batch: true,
  },
  /** A paid registration took its address from an unverified identity. The payer gets a mail. */
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
  /** An administrator disabled an account. The learner gets a mail. The audit entry has the reason. */
  'account.disabled': {
    payload: event({ account_id: Id, entry_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An administrator enabled a disabled account. The learner gets a mail. */
  'account.enabled': {
    payload: event({ account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An account will be deleted, because it is not used. The learner is warned by mail. */
  'account.inactive': {
    payload: event({ account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** An account was not used since the warning. It must be deleted. */
  'account.deletion_due': {
    payload: event({ account_id: Id }),
    queues: ['payments'],
    batch: false,
  },
  /** A learner, an administrator or the service deleted an account. Only receipts and one mail to send remain. */
  'account.deleted': {
    payload: event({ account_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** A person gets a mail with a link to choose a password, if the address has an identity. */
  'password.link_requested': {
    payload: event({ request_id: Id }),
    queues: ['mail'],
    batch: false,
  },
  /** A password was replaced, by its owner or by a mailed link. The owner gets a mail. */
  'password.changed': {
    payload: event({ account_id: Id, changed_at: Type.String({ format: 'date-time' }) }),
    queues: ['mail'],
    batch: false,
  },
  /** A deletion must be completed: it was interrupted, or the account's address was reclaimed. */
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
  /** Closed reports are open again: an administrator or another report reopened them. */
  'feedback.reopened': {
    payload: event({ question_id: Type.Integer() }),
    queues: ['live'],
    batch: true,
  },
  /** A question had a wrong key. The quizzes that showed it must be regraded. */
  'question.key_corrected': {
    payload: event({ question_id: Type.Integer(), regrade_id: Id }),
    queues: ['regrades'],
    batch: false,
  },
  /** A corrected key changed a learner's results. Once for each correction and learner. */
  'result.regraded': {
    payload: event({ regrade_id: Id, account_id: Id }),
    queues: ['live', 'mail'],
    batch: false,
  },
  /** An import started, or has a new state to act on. */
  'import.changed': {
    payload: event({ import_id: Id }),
    queues: ['imports'],
    batch: false,
  },
  /** An import is complete and its questions are visible. */
  'question.imported': {
    payload: event({ import_id: Id, imported: Type.Integer() }),
    queues: ['analysis', 'near-duplicates'],
    batch: false,
  },
  /** What is common to all learners must be estimated again. */
  'learning.refit_requested': {
    payload: event({}),
    queues: ['analysis'],
    batch: false,
  },
  /** A health probe that is sent through every queue. */
  'canary.sent': {
    payload: event({}),
    queues: QUEUES,
    batch: false,
  },
  /** An administrator requested that a release of our question bank is applied or undone. */
  'bank.work_requested': {
    payload: event({ work_id: Id }),
    queues: ['changes'],
    batch: false,
  },
  /** Retired questions were merged into near-duplicates of theirs, or separated again. */
  'questions.merged': {
    payload: event({ question_ids: Type.Array(Type.Integer()) }),
    queues: ['statistics'],
    batch: true,
  },
  /** An administrator requested a bulk change of questions, or its undo. */
  'questions.change_requested': {
    payload: event({ change_id: Id }),
    queues: ['changes'],
    batch: false,
  },
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof EVENTS;

export type EventPayload<N extends EventName> = Static<(typeof EVENTS)[N]['payload']>;

/** Every queue consumes this event in the same way, without a handler of its own. */
export const CANARY = 'canary.sent' satisfies EventName;

/** The names of the events that a queue must have a handler for. */
export type EventOf<Q extends QueueName> = {
  [N in EventName]: Q extends (typeof EVENTS)[N]['queues'][number] ? N : never;
}[Exclude<EventName, typeof CANARY>];

/** An event as a consumer receives it. */
export interface DeliveredEvent<N extends EventName> {
  id: string;
  payload: EventPayload<N>;
  /** The request that caused the event, for logs and traces. Read it with `readTrace`. */
  trace?: unknown;
}
