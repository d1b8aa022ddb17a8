import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorBody } from '@proveklar/contract/common.ts';
import { AppError, type ErrorCode } from '@proveklar/services/errors/app-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that was answered; null when it went well. */
    errorCode: string | null;
  }
}

/** The status of each code. */
export const STATUS: Record<ErrorCode, number> = {
  validation_failed: 400,
  unauthenticated: 401,
  token_invalid: 401,
  account_disabled: 401,
  admin_only: 403,
  recent_sign_in_required: 403,
  not_found: 404,
  user_not_found: 404,
  cannot_delete_self: 403,
  cannot_disable_self: 403,
  quiz_not_found: 404,
  quiz_closed: 409,
  too_many_open: 409,
  question_not_found: 404,
  question_duplicate: 409,
  change_not_found: 404,
  change_not_ended: 409,
  change_ended: 409,
  question_changed: 409,
  question_not_answered: 409,
  question_not_in_quiz: 400,
  answer_not_an_option: 400,
  translation_not_found: 404,
  topic_unknown: 400,
  language_not_offered: 400,
  language_required: 409,
  no_mistakes: 400,
  not_enough_questions: 409,
  service_expired: 402,
  service_free: 400,
  consent_required: 400,
  payment_not_found: 404,
  payment_mismatch: 409,
  payment_not_completed: 409,
  payment_cancelled: 409,
  payment_completed: 409,
  payment_declined: 409,
  payment_expired: 409,
  payment_not_refundable: 409,
  refund_too_large: 409,
  rate_limited: 429,
  withdrawal_changed: 409,
  withdrawal_over: 409,
  payment_provider_failed: 502,
  identity_provider_failed: 502,
  password_refused: 400,
  email_refused: 400,
  signature_invalid: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  import_not_found: 404,
  import_state: 409,
  import_refused: 400,
  import_failed: 500,
  unavailable: 503,
};

export const INTERNAL_ERROR = 'Something went wrong. Please try again.';

/** What Fastify itself refuses, by its code. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/**
 * The database cannot take the request now, but may soon: connections gone, refused or all in use,
 * disk full, restarting, cancelled, deadlocked. By SQLSTATE, by system error, by the pool's words.
 */
const BUSY_CODES =
  /^(08|53|57P0|57014|40001|40P01|55P03|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)/;
const BUSY_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered)/;

/**
 * Answers every error in the one shape. What we foresaw says what it is; anything else is logged
 * and answered with the request's id and nothing of the inside.
 */
export const errorsPlugin = fp(
  async (app) => {
    app.decorateRequest('errorCode', null);
    app.setErrorHandler(sendError);
    app.setNotFoundHandler((_request, reply) => {
      send(reply, new AppError('not_found'));
    });
  },
  { name: 'errors' },
);

/** Answers an error of a route, or of Fastify itself before it has found one. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error);
  if (known) {
    send(reply, known);
    return;
  }
  request.log.error({ err: error }, 'unexpected error');
  request.errorCode = 'internal_error';
  const body: ErrorBody = {
    error: INTERNAL_ERROR,
    code: 'internal_error',
    details: { request_id: request.id },
  };
  void reply.status(500).send(body);
}

/** A client that does not close its side after the answer to a broken request. */
const FAREWELL_MS = 1_000;
/** By Node's code. No operation is known yet, so the API document has them once, for all operations. */
export const REFUSALS = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'The request is not valid' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request took too long to arrive. Please send it again.',
  },
  other: { status: 400, error: 'The request is not valid' },
} as const;

/** Answers what is no HTTP request at all, or has headers without end. */
export function answerBrokenRequest({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const { status, error } = REFUSALS[code as keyof typeof REFUSALS] ?? REFUSALS.other;
  const body: ErrorBody = { error, code: 'validation_failed' };
  const text = JSON.stringify(body);
  const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\nconnection: close\r\n\r\n${text}`,
  );
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

function send(reply: FastifyReply, error: AppError): void {
  const status = STATUS[error.code];
  if (status >= 500) reply.log.error({ err: error }, error.code);
  const { code, message, details } = error;
  reply.request.errorCode = code;
  if (status === 503) reply.header('retry-after', '1');
  if (status === 429) reply.header('retry-after', Number(details?.retry_after_s ?? 60));
  const body: ErrorBody = { error: message, code, ...(details && { details }) };
  void reply.status(status).send(body);
}

function toAppError(error: FastifyError): AppError | null {
  if (error instanceof AppError) return error;
  if (error.validation) return validationError(error);
  const code = FASTIFY_CODES[error.code];
  if (code) return new AppError(code);
  if (BUSY_CODES.test(error.code ?? '') || BUSY_MESSAGES.test(error.message)) {
    return new AppError('unavailable', { cause: error });
  }
  // A body that is no JSON, a path that is none: Fastify's messages may repeat the input.
  if (error.statusCode && error.statusCode < 500) {
    return new AppError('validation_failed', { details: { reason: error.code } });
  }
  return null;
}

/** Names the field: `details.field` is its path, `details.part` where it was sent. */
function validationError(error: FastifyError): AppError {
  const [first] = error.validation ?? [];
  const part = error.validationContext ?? 'request';
  const { requiredProperties: missing, additionalProperties: unknown } = (first?.params ?? {}) as {
    requiredProperties?: string[];
    additionalProperties?: string[];
  };
  const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const field = [path, (missing ?? unknown)?.[0]].filter(Boolean).join('.');
  const refused = unknown !== undefined || first?.message === 'schema is false';
  const reason = missing ? 'is missing' : refused ? 'is not a known field' : first?.message;
  return new AppError('validation_failed', {
    message: `${field || part} ${reason ?? 'is not valid'}`,
    details: { field, part },
  });
}
