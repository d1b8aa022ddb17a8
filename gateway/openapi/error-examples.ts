import type { RouteOptions } from 'fastify';
import { ERROR_MESSAGES } from '@proveklar/services/errors/error-messages.ts';
import type { ErrorBody } from '@proveklar/contract/common.ts';
import type { OperationDocs } from '#openapi/examples/operation.ts';
import { INTERNAL_ERROR, STATUS } from '#plugins/errors.ts';

type Code = ErrorBody['code'];
type ErrorExamples = Partial<Record<Code, ErrorBody>>;

/** Every error that an operation can answer with, by status and code, each with a body. */
export function errorExamples(
  route: RouteOptions,
  docs: OperationDocs,
): Record<string, ErrorExamples> {
  const codes: Code[] = [
    ...codesOfAccess(route),
    ...codesOfInput(route),
    ...(Object.keys(docs.errors ?? {}) as Code[]),
    ...(docs.serverErrors ?? ['internal_error', 'unavailable']),
  ];
  const byStatus: Record<string, ErrorExamples> = {};
  for (const code of new Set(codes)) {
    const details = defaultDetails(code, route);
    const body = { error: messageOf(code), code, ...details, ...docs.errors?.[code] };
    (byStatus[statusOf(code)] ??= {})[code] = body;
  }
  return byStatus;
}

function codesOfAccess({ config }: RouteOptions): Code[] {
  if (config?.access === 'public') return config.rateLimit === false ? [] : ['rate_limited'];
  const codes: Code[] = ['unauthenticated', 'token_invalid', 'account_disabled'];
  if (config?.access === 'subscriber') codes.push('service_expired');
  if (config?.access === 'admin') codes.push('admin_only');
  return codes;
}

function codesOfInput({ config, schema }: RouteOptions): Code[] {
  const { body, params, querystring } = schema ?? {};
  const codes: Code[] = body || params || querystring ? ['validation_failed'] : [];
  return body || config?.rawBody
    ? [...codes, 'payload_too_large', 'unsupported_media_type']
    : codes;
}

function defaultDetails(code: Code, route: RouteOptions): Partial<ErrorBody> {
  if (code === 'internal_error') {
    return { details: { request_id: '6f0d3f2e-52c1-4b8f-9a37-1c8e4d7b2a90' } };
  }
  if (code === 'rate_limited') return { details: { retry_after_s: 42 } };
  return code === 'validation_failed' ? invalidInput(route) : {};
}

/** One of the ways to send what an operation does not take; which one follows from what it takes. */
function invalidInput({ schema }: RouteOptions): Partial<ErrorBody> {
  const { body, params, querystring } = (schema ?? {}) as Record<
    string,
    { required?: string[]; properties?: Record<string, Parameter> } | undefined
  >;
  const [missing] = body?.required ?? [];
  if (missing) return fault(missing, 'body', 'is missing');
  const [parameter] = Object.entries(params?.properties ?? {});
  if (parameter?.[1].format) {
    return fault(parameter[0], 'params', `must match format "${parameter[1].format}"`);
  }
  if (parameter?.[1].anyOf?.[0]?.type === 'integer') {
    return fault(parameter[0], 'params', 'must be integer');
  }
  if (querystring) return fault('unknown', 'querystring', 'is not a known field');
  return { details: { reason: 'FST_ERR_CTP_INVALID_JSON_BODY' } };
}

interface Parameter {
  format?: string;
  anyOf?: { type?: string }[];
}

function fault(field: string, part: string, reason: string): Partial<ErrorBody> {
  return { error: `${field} ${reason}`, details: { field, part } };
}

function statusOf(code: Code): number {
  return code === 'internal_error' ? 500 : STATUS[code];
}

function messageOf(code: Code): string {
  return code === 'internal_error' ? INTERNAL_ERROR : ERROR_MESSAGES[code];
}
