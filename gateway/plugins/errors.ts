import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorBody } from '@proveklar/contract/common.ts';
import { AppError, type ErrorCode } from '@proveklar/services/errors/app-error.ts';
import { pickLanguage } from '#pages/pick-language.ts';
import { errorPage, PLAIN_PAGE_HEADERS } from '#pages/plain-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error response; null without an error. */
    errorCode: string | null;
  }
  interface FastifyContextConfig {
    /** The route sends a page, so its errors are pages too. */
    isPage?: boolean;
  }
}

/** The HTTP status of each error code. */
export const STATUS: Record<ErrorCode, number> = {
  validation_failed: 400,
  unauthenticated: 401,
  token_invalid: 401,
  account_disabled: 401,
  admin_only: 403,
  already_owner: 409,
  recent_sign_in_required: 403,
  not_found: 404,
  user_not_found: 404,
  cannot_delete_self: 403,
  cannot_disable_self: 403,
  code_unknown: 404,
  code_used: 409,
  code_expired: 409,
  code_withdrawn: 409,
  packet_not_found: 404,
  quiz_not_found: 404,
  quiz_closed: 409,
  too_many_open: 409,
  question_not_found: 404,
  question_duplicate: 409,
  version_not_found: 404,
  change_not_found: 404,
  bank_release_changed: 409,
  bank_release_not_found: 404,
  bank_release_not_latest: 409,
  bank_release_running: 409,
  change_not_ended: 409,
  change_ended: 409,
  question_changed: 409,
  glossary_changed: 409,
  glossary_word_taken: 409,
  message_changed: 409,
  message_not_tested: 409,
  message_state: 409,
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
  payments_closed: 409,
  payment_not_refundable: 409,
  refund_too_large: 409,
  rate_limited: 429,
  withdrawal_changed: 409,
  withdrawal_over: 409,
  payment_provider_failed: 502,
  identity_provider_failed: 502,
  password_link_invalid: 410,
  password_refused: 400,
  email_refused: 400,
  signature_invalid: 400,
  event_not_open: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  import_not_found: 404,
  import_row_not_open: 409,
  import_state: 409,
  import_upload_changed: 409,
  import_upload_offset: 409,
  import_refused: 400,
  import_failed: 500,
  unavailable: 503,
};

export const INTERNAL_ERROR = 'Something went wrong. Please try again.';

/** Our code for errors of Fastify itself. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/**
 * Temporary errors of the database: connection lost, refused or none free, disk full, restart, cancelled
 * query, deadlock. Matched by SQLSTATE, system error code, or the message of the pool.
 */
const BUSY_CODES =
  /^(08|53|57P0|57014|40001|40P01|55P03|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)/;
const BUSY_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered)/;

/**
 * Sends every error in one shape. An AppError says what went wrong; any other error is logged, and the
 * response holds only the id of the request.
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

/** Sends an error of a route, or of Fastify before a route is found. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const appError = toAppError(error);
  if (appError) {
    send(reply, appError);
    return;
  }
  request.log.error({ err: error }, 'unexpected error');
  request.errorCode = 'internal_error';
  const body: ErrorBody = {
    error: INTERNAL_ERROR,
    code: 'internal_error',
    details: { request_id: request.id },
  };
  sendBody(reply, 500, body);
}

/** Time for the client to close the connection after the response to a malformed request. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Responses to malformed requests, by Node's code. The API document lists them once, for all operations. */
export const MALFORMED_REQUESTS = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'The request is not valid' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request took too long to arrive. Please send it again.',
  },
  other: { status: 400, error: 'The request is not valid' },
} as const;

/** Answers a request that is not HTTP, has too large headers, or arrives too slowly. */
export function answerMalformedRequest({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const { status, error } =
    MALFORMED_REQUESTS[code as keyof typeof MALFORMED_REQUESTS] ?? MALFORMED_REQUESTS.other;
  const body: ErrorBody = { error, code: 'validation_failed' };
  const text = JSON.stringify(body);
  const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\nconnection: close\r\n\r\n${text}`,
  );
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
}

function send(reply: FastifyReply, error: AppError): void {
  const status = STATUS[error.code];
  if (status >= 500) reply.log.error({ err: error }, error.code);
  const { code, message, details } = error;
  reply.request.errorCode = code;
  if (status === 503) reply.header('retry-after', '1');
  if (status === 429) reply.header('retry-after', Number(details?.retry_after_s ?? 60));
  const body: ErrorBody = { error: message, code, ...(details && { details }) };
  sendBody(reply, status, body);
}

/** Browsers show what they get: a person sees a page, and not JSON. */
function sendBody(reply: FastifyReply, status: number, body: ErrorBody): void {
  void reply.status(status);
  const { url, headers, routeOptions } = reply.request;
  if (!routeOptions.config.isPage || url.startsWith('/api/')) {
    void reply.send(body);
    return;
  }
  const { cookie, 'accept-language': acceptLanguage } = headers;
  const language = pickLanguage({ cookie, acceptLanguage });
  void reply.headers(PLAIN_PAGE_HEADERS).send(errorPage(status, language));
}

function toAppError(error: FastifyError): AppError | null {
  if (error instanceof AppError) return error;
  if (error.validation) return validationError(error);
  const code = FASTIFY_CODES[error.code];
  if (code) return new AppError(code);
  if (BUSY_CODES.test(error.code ?? '') || BUSY_MESSAGES.test(error.message)) {
    return new AppError('unavailable', { cause: error });
  }
  // An invalid JSON body or path. Not Fastify's message, which may repeat the input.
  if (error.statusCode && error.statusCode < 500) {
    return new AppError('validation_failed', { details: { reason: error.code } });
  }
  return null;
}

/** A validation error: `details.field` is the path of the field, `details.part` where it was sent. */
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
