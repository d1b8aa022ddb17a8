import type { ErrorCode as AnyErrorCode } from '@proveklar/contract/error-codes.ts';

interface AppErrorOptions {
  /** Replaces the default text of the code; must be safe to show to a user. */
  message?: string;
  /** Parameters of the error: the field, the limit, … */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** An expected error. Its code is stable, and its message may be shown to a user. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, { message, details, cause }: AppErrorOptions = {}) {
    super(message ?? ERROR_MESSAGES[code], { cause });
    this.code = code;
    this.details = details;
  }
}

/** The code of an expected error; an unexpected one is `internal_error`. */
export type ErrorCode = Exclude<AnyErrorCode, 'internal_error'>;

/** The text that the API sends with each code. */
export const ERROR_MESSAGES = {
  validation_failed: 'The request is not valid',
  unauthenticated: 'Sign in to do this',
  token_invalid: 'The sign-in is not valid any more; sign in again',
  account_disabled: 'This account is disabled',
  recent_sign_in_required: 'Sign in again to do this',
  admin_only: 'Unauthorized admin access',
  already_owner: 'This address is an owner, who has all rights already',
  not_found: 'Not found',
  user_not_found: 'There is no such user',
  cannot_delete_self: 'Cannot delete yourself',
  cannot_disable_self: 'Cannot disable yourself',
  quiz_not_found: 'There is no such quiz',
  quiz_closed: 'This quiz has ended',
  too_many_open:
    'You have too many open quizzes. Continue one, or end one, and then start another.',
  question_duplicate: 'The bank has this question already',
  change_not_found: 'There is no such change',
  change_not_ended: 'This change is under way. Cancel it, or wait for its end.',
  change_ended: 'This change has ended',
  bank_release_changed:
    'The service has another release of the bank by now. Look at its changes first.',
  bank_release_not_found: 'There is no such release',
  bank_release_not_latest: 'Only the last release can be undone. Undo the later ones first.',
  bank_release_running: 'A release is being applied or undone. Wait for its end.',
  question_changed: 'The question was changed meanwhile. Read it again before you change it.',
  version_not_found: 'There is no such version of this question',
  question_not_found: 'There is no such question',
  question_not_answered: 'Answer this question first',
  question_not_in_quiz: 'This question is not part of the quiz',
  answer_not_an_option: 'This answer is not one of the options',
  translation_not_found: 'This question is in no other language',
  glossary_changed: 'The entry was changed meanwhile. Read it again before you change it.',
  glossary_word_taken: 'Another entry of the glossary has this word. Change that entry instead.',
  topic_unknown: 'There are no questions on this topic',
  language_not_offered: 'Questions are not offered in this language. Choose another language.',
  language_required:
    'Norwegian is what a quiz is in when no language is chosen. It cannot be withdrawn.',
  message_changed: 'The message was changed meanwhile. Read it again before you change it.',
  message_not_tested: 'Send this version to yourself first, and read it',
  message_state: 'The message is not in a state for this. Read it again.',
  no_mistakes: 'There is no question left in this language that you got wrong',
  not_enough_questions: 'There are not enough questions for this test yet',
  service_expired: 'Your access has expired',
  service_free: 'Service is currently free',
  consent_required:
    'You have withdrawn from a purchase before. Agree that the service starts at once, and try again.',
  code_unknown: 'There is no such code. Check that every character is right.',
  code_used: 'This code has been used already. Each code can be used once.',
  code_expired: 'This code is not valid any more: it was valid for 12 months.',
  code_withdrawn:
    'This code was withdrawn. Ask the organisation that gave it to you for another one.',
  packet_not_found: 'There is no such packet of codes. Use the link in the email.',
  payment_not_found: 'There is no such payment',
  payment_mismatch: 'This payment belongs to another registration. Write to us.',
  payment_not_completed: 'The payment is not completed yet',
  payment_cancelled: 'This payment was cancelled. Nothing was charged.',
  payment_completed: 'This payment is made already, or is being made',
  payment_declined: 'The card was declined. Nothing was charged; try another card.',
  payment_expired: 'This payment was not made in time. Nothing was charged; begin again.',
  payments_closed: 'Payments are not open yet. Nothing was charged; try again later.',
  payment_not_refundable: 'There is nothing to pay back for this payment',
  refund_too_large: 'That is more than is left of this payment',
  rate_limited: 'Too many tries. Please wait before you try again.',
  withdrawal_changed: 'What is paid back has changed meanwhile. Read it again before you agree.',
  withdrawal_over: 'The time for withdrawing from this purchase is over',
  payment_provider_failed: 'Could not reach the payment provider. Please try again.',
  identity_provider_failed: 'Could not reach the sign-in service. Please try again.',
  password_link_invalid: 'This link is not valid any more. Ask for a new one.',
  password_refused: 'The password is too weak',
  email_refused: 'The email address is not valid',
  signature_invalid: 'The signature is not valid',
  event_not_open: 'This event is closed already, or does not exist. Read the list again.',
  payload_too_large: 'The request is too large',
  unsupported_media_type: 'The content type is not supported',
  import_not_found: 'There is no such import',
  import_state: 'The import is not in a state for this',
  import_row_not_open: 'The report has no such row that can be decided about',
  import_upload_changed: 'The file is not the one whose upload was begun',
  import_upload_offset: 'The import has another part of the file',
  import_refused: 'The file cannot be imported',
  import_failed: 'The import failed',
  unavailable: 'The service is busy. Please try again.',
} as const satisfies Record<ErrorCode, string>;
