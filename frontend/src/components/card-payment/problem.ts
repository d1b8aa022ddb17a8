import { ApiError } from '#lib/api-error.ts';

/** In which way a payment, or what it was to give, did not come about. */
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
  /** It is not known, or not done yet: the same is asked again, and nothing is paid again. */
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

/** By the API's answer to the call that settles a payment. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return 'unsettled';
  if (error.code === 'payment_cancelled' && error.details.reason === 'declined') return 'too_many';
  return BY_CODE[error.code] ?? 'unsettled';
}

/** Whether what was begun is over, so that only a new payment leads on. */
export function isOver(error: unknown): boolean {
  return ['cancelled', 'expired', 'too_many', 'email'].includes(problemOf(error));
}
