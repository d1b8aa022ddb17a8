import { STATUS_CODES } from 'node:http';
import type { RouteOptions } from 'fastify';
import { type ErrorBody, EmptyBody } from '@proveklar/contract/common.ts';
import { ERROR_MESSAGES } from '@proveklar/services/errors/app-error.ts';
import { INTERNAL_ERROR, STATUS } from '#plugins/errors.ts';
import type { ApiResponse, Media, Operation } from './document.ts';
import type { Example, OperationDocs } from './examples/operation.ts';
import { ACCESS_DESCRIPTIONS } from './info.ts';
import { ROLES_OF } from '#plugins/access.ts';

const JSON_TYPE = 'application/json';
const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } };

/** Adds to an operation what its schemas lack: who may call it, its errors, its examples. */
export function completeOperation(
  operation: Operation,
  route: RouteOptions,
  docs: OperationDocs,
): void {
  const access = route.config?.access ?? 'public';
  operation.description = `${docs.description}\n\n${ACCESS_DESCRIPTIONS[access]}`;
  addParameters(operation, Object.values(docs.examples));
  addQuery(operation, docs);
  addRequestBody(operation, route, docs);
  addResponses(operation, docs);
  addErrors(operation, route, docs);
}

function addParameters(operation: Operation, examples: Example[]): void {
  for (const [place, part] of [
    ['path', 'path'],
    ['header', 'headers'],
  ] as const) {
    const values = Object.assign({}, ...examples.map((example) => example[part]).toReversed());
    for (const [name, example] of Object.entries(values as Record<string, unknown>)) {
      operation.parameters ??= [];
      const parameter = operation.parameters.find((p) => p.in === place && p.name === name);
      if (parameter) parameter.example = example;
      // Stripe's signature: read from the raw request, so no schema declares it.
      else operation.parameters.push({ name, in: place, schema: { type: 'string' }, example });
    }
  }
}

/** Adds query values per example: the filters of one example do not belong to another. */
function addQuery(operation: Operation, docs: OperationDocs): void {
  for (const [example, { query = {} }] of Object.entries(docs.examples)) {
    for (const [name, value] of Object.entries(query)) {
      const parameter = operation.parameters?.find((p) => p.in === 'query' && p.name === name);
      if (parameter) parameter.examples = { ...parameter.examples, [example]: { value } };
    }
  }
}

function addRequestBody(operation: Operation, route: RouteOptions, docs: OperationDocs): void {
  if (route.schema?.body === EmptyBody) delete operation.requestBody;
  const bodies = examplesOf(docs, ({ body }) => body);
  if (Object.keys(bodies).length === 0) return;
  const raw = route.config?.rawBody;
  const content = typeof raw === 'object' ? structuredClone(raw) : { [JSON_TYPE]: { schema: {} } };
  operation.requestBody ??= { required: true, content };
  for (const media of Object.values(operation.requestBody.content)) media.examples ??= bodies;
}

function addResponses(operation: Operation, docs: OperationDocs): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue;
    if (response.description === 'Default Response') {
      response.description = STATUS_CODES[status] ?? status;
    }
    const examples = examplesOf(docs, (example) =>
      String(example.status ?? 200) === status ? example.answer : undefined,
    );
    for (const media of Object.values(response.content ?? {})) media.examples ??= examples;
  }
}

function examplesOf(
  docs: OperationDocs,
  pick: (example: Example) => unknown,
): Media['examples'] & {} {
  const picked = Object.entries(docs.examples).map(
    ([name, example]) => [name, { summary: example.summary, value: pick(example) }] as const,
  );
  return Object.fromEntries(picked.filter(([, { value }]) => value !== undefined));
}

/** Replaces the generic 4XX and 5XX responses with the errors that the operation can return. */
function addErrors(operation: Operation, route: RouteOptions, docs: OperationDocs): void {
  delete operation.responses['4XX'];
  delete operation.responses['5XX'];
  for (const [status, bodies] of Object.entries(errorExamples(route, docs))) {
    const codes = Object.keys(bodies).map((code) => `\`${code}\``);
    const response: ApiResponse = {
      description: `${STATUS_CODES[status] ?? status}: ${codes.join(', ')}`,
      ...(['429', '503'].includes(status) && { headers: { 'Retry-After': RETRY_AFTER } }),
      content: {
        [JSON_TYPE]: {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            Object.entries(bodies).map(([code, value]) => [code, { value }]),
          ),
        },
      },
    };
    operation.responses[status] = response;
  }
}

type Code = ErrorBody['code'];
type ErrorExamples = Partial<Record<Code, ErrorBody>>;

/** Every error that an operation can return, by status and code, with a body. */
function errorExamples(route: RouteOptions, docs: OperationDocs): Record<string, ErrorExamples> {
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
  if (config?.access && ROLES_OF[config.access]) codes.push('admin_only');
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

/** What the tests send as an invalid parameter. */
const INVALID = 'x';

/** An example of an invalid request, chosen by what the operation takes. */
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
  if (parameter?.[1].pattern && !new RegExp(parameter[1].pattern).test(INVALID)) {
    return fault(parameter[0], 'params', `must match pattern "${parameter[1].pattern}"`);
  }
  if (parameter?.[1].anyOf?.[0]?.type === 'integer') {
    return fault(parameter[0], 'params', 'must be integer');
  }
  if (querystring) return fault('unknown', 'querystring', 'is not a known field');
  return { details: { reason: 'FST_ERR_CTP_INVALID_JSON_BODY' } };
}

interface Parameter {
  format?: string;
  pattern?: string;
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
