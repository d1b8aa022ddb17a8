import { Compile, type Validator } from 'typebox/schema';
import type { ApiDocument, ApiResponse } from '@proveklar/gateway/openapi/document.ts';
import type { Access, FuzzedOperation } from './calls.ts';
import type { Answer } from './client.ts';

/** The roles of callers. A squatter has signed up with an address whose owner has since paid for it. */
export const ROLES = [
  'anonymous',
  'garbled',
  'forged',
  'squatter',
  'expired',
  'learner',
  'editor',
  'support',
  'operator',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

/** The roles that may call a route, by its access; all others must be refused. */
export const MAY_CALL: Record<Access, readonly Role[]> = {
  public: ROLES,
  learner: ['expired', 'learner', 'editor', 'support', 'operator', 'admin'],
  // The people of the portal have no days, so a 402 is right, too.
  subscriber: ['learner', 'editor', 'support', 'operator', 'admin'],
  editor: ['editor', 'admin'],
  support: ['support', 'admin'],
  editor_or_support: ['editor', 'support', 'admin'],
  operator: ['operator', 'admin'],
  portal: ['editor', 'support', 'operator', 'admin'],
  owner: ['admin'],
};

const MAX_RESPONSE_MS = 10_000;
/** The maximum for operations that wait for a worker by design. */
const MAX_WAITING_MS: Record<string, number> = { importQuestions: 25_000 };

/**
 * A deletion may be repeated: a user without an account is told that it is deleted. The same holds for a
 * squatter, whose account was taken over.
 */
const REPEATABLE: ReadonlySet<string> = new Set(['deleteAccount']);

/** Internals that no answer may reveal. */
const INTERNALS =
  /\n\s+at .+:\d+:\d+|node_modules|\.ts:\d+|violates \w+ constraint|duplicate key value|syntax error at or near|invalid input syntax|relation ".+" does not exist|current transaction is aborted|\bSQLSTATE\b/;

/** Checks answers against the API document. Schemas are compiled once. */
export function createAnswerCheck(document: ApiDocument) {
  const validators = new Map<object, Validator>();
  const { components } = document;

  function validatorOf(schema: object): Validator {
    const known = validators.get(schema);
    if (known) return known;
    // The only references are to whole schemas, those of errors.
    const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(referenceOf(schema)) ?? [];
    const made: Validator = Compile(components.schemas[name] ?? schema);
    validators.set(schema, made);
    return made;
  }

  /** The faults of an answer, one line each. */
  return function faultsOf(operation: FuzzedOperation, role: Role, answer: Answer): string[] {
    const { status, headers, text, ms, failure } = answer;
    if (failure) return [`no answer: ${failure}`];
    const faults: string[] = [];
    // Refused before Fastify had parsed a request: then there is no request id, and no operation.
    const isBroken = headers['x-request-id'] === undefined;
    const declared = isBroken
      ? components.responses[status]
      : operation.operation.responses[status];

    if (status >= 500 && status !== 503) faults.push(`status ${status}`);
    if (!declared) faults.push(`status ${status} is not declared`);
    else faults.push(...bodyFaults(declared, answer));
    if (INTERNALS.test(text)) faults.push('reveals internals');
    if (ms > (MAX_WAITING_MS[operation.operationId] ?? MAX_RESPONSE_MS))
      faults.push(`took too long`);
    if ([429, 503].includes(status) && !headers['retry-after']) faults.push('has no Retry-After');
    if (isBroken) return faults;

    if (operation.access !== 'public' && headers['cache-control'] !== 'no-store') {
      faults.push('may be cached');
    }
    if (!MAY_CALL[operation.access].includes(role)) {
      const isDone = role === 'squatter' && REPEATABLE.has(operation.operationId);
      if (status < 400 && !isDone) faults.push(`${role} was answered ${status}`);
      else if (status >= 400 && !operation.checkedLate && ![401, 402, 403, 404].includes(status)) {
        faults.push(`${role} was answered ${status} before being refused`);
      }
    }
    return faults;
  };

  function bodyFaults(declared: ApiResponse, { status, headers, text }: Answer): string[] {
    if (!declared.content) return text === '' ? [] : [`status ${status} has a body`];
    const type = String(headers['content-type'] ?? '').split(';')[0]!;
    const media = declared.content?.[type];
    if (!media) return [`status ${status} has an undeclared type "${type}"`];
    if (type !== 'application/json') return [];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return [`status ${status} has a body that is not JSON`];
    }
    const faults: string[] = [];
    const validator = media.schema ? validatorOf(media.schema) : null;
    if (validator && !validator.Check(body)) {
      const [, [first]] = validator.Errors(body);
      faults.push(
        `status ${status} breaks its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
      );
    }
    const { code } = (body ?? {}) as { code?: string };
    if (status >= 400 && !Object.keys(media.examples ?? {}).includes(String(code))) {
      faults.push(`status ${status} has an undeclared code "${String(code)}"`);
    }
    return faults;
  }
}

const referenceOf = (schema: object): string => (schema as { $ref?: string }).$ref ?? '';
