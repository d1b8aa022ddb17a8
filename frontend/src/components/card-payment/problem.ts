import { ApiError } from '#lib/api-error.ts';

/** How a payment, or what it should give, failed. */
export type Problem =
  | 'declined'
  | 'too_many'
  | 'cancelled'
  | 'expired'
  | 'mismatch'
  | 'email'
  | 'disabled'
  | 'password'
  | 'limited'
  /** The outcome is unknown or not final: asking again is safe, and nothing is paid again. */
  | 'unsettled';

const BY_CODE: Record<string, Problem> = {
  payment_declined: 'declined',
  payment_not_completed: 'declined',
  payment_cancelled: 'cancelled',
  payment_expired: 'expired',
  payment_mismatch: 'mismatch',
  payment_not_found: 'mismatch',
  email_refused: 'email',
  account_disabled: 'disabled',
  password_refused: 'password',
  rate_limited: 'limited',
};

/** The problem in the API's answer to the call that settles a payment. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return 'unsettled';
  if (error.code === 'payment_cancelled' && error.details.reason === 'declined') return 'too_many';
  return BY_CODE[error.code] ?? 'unsettled';
}

/** Whether the payment is closed, so that only a new one can succeed. */
export function isOver(error: unknown): boolean {
  return ['cancelled', 'expired', 'too_many', 'email'].includes(problemOf(error));
}
