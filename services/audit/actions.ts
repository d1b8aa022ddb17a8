/**
 * Everything that an administrator does and that is kept. `subject` names what it was done to, and
 * `details` the small facts: what was before, what is now.
 */
export const AUDIT_ACTIONS = [
  /** Subject: the import's id. */
  'import.started',
  'import.cancelled',
  'import.confirmed',
  'import.discarded',
  'import.undone',
  'import.near_duplicates_cancelled',
  /** Subject: the question's id. */
  'question.validated',
  'question.unvalidated',
  'question.edited',
  'question.key_corrected',
  'question.quality_dismissed',
  'question.near_duplicate_dismissed',
  'question.near_duplicate_reopened',
  'question.deleted',
  'question.retired',
  'question.restored',
  /** Subject: the change's id; details: the action and how many. */
  'questions.changed',
  'questions.exported',
  /** Subject: the user's address; details of `user.disabled`: the note, if any. */
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.password_link_sent',
  /** Subject: the payment's id. */
  'payment.refund_requested',
  'payment.synced',
  /** Subject: the comparison's id. */
  'payment.reconciliation_requested',
  /** Subject: the user's address, or `active` for everybody active; details: days, accounts. */
  'days.granted',
  /** Subject: `settings`, or the name of an exam profile. */
  'settings.updated',
  'exam_profile.updated',
  /** Subject: the code of the language. */
  'language.offered',
  'language.withdrawn',
  /** Subject: the id of the question whose reports were closed. */
  'feedback.closed',
  'feedback.reopened',
  /** By an operator. Subject: the event's id; details: its name, the queue and why it was set aside. */
  'event.retried',
  'event.dismissed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
