import type { Database } from '@proveklar/services/database/pool.ts';
import type { TestGateway } from '../gateway.ts';
import type { DocumentedCall } from './documented-calls.ts';
import { signIn, type Call } from './set-up.ts';

type MakeFail = (call: Call, documented: DocumentedCall, gateway: TestGateway) => Promise<Call>;

const TOO_LARGE = JSON.stringify('x'.repeat(4_000_000));

/**
 * How a call that would succeed is made to fail, for the errors that many operations have. The errors
 * of a single operation have set-ups of their own.
 */
export const COMMON_ERRORS: Record<string, MakeFail> = {
  unauthenticated: async ({ token: _token, ...call }) => call,

  token_invalid: async (call) => ({ ...call, token: 'x.y.z' }),

  account_disabled: async (call, _documented, { deps }) => {
    await deps.db.query(`update account set state = 'disabled'`);
    return call;
  },

  service_expired: async (call, _documented, { deps }) => {
    await deps.db.query('update account set service_expires_at = now()');
    return call;
  },

  admin_only: async (call, _documented, gateway) => ({
    ...call,
    token: (await signIn(gateway)).token,
  }),

  /** Sends the invalid value that the documented error names. */
  validation_failed: async (call, { answer, request }) => {
    const { field, part } = (answer as { details: { field?: string; part?: string } }).details;
    if (!field) return { ...call, bytes: '{' };
    if (part === 'params') return { ...call, path: { [field]: 'x' } };
    if (part === 'querystring') return { ...call, query: { [field]: 'x' } };
    const { [field]: _missing, ...body } = request.body as Record<string, unknown>;
    return { ...call, body };
  },

  /** For public calls. */
  rate_limited: async (call, _documented, { deps }) => ({
    ...call,
    deps: { limits: { ...deps.limits, publicCalls: 0 } },
  }),

  payload_too_large: async (call) => ({ ...call, bytes: TOO_LARGE }),

  unsupported_media_type: async (call) => ({
    ...call,
    bytes: 'x',
    headers: { ...call.headers, 'content-type': 'text/plain' },
  }),

  unavailable: async (call, _documented, { deps }) => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return { ...call, deps: { db: failing(deps.db, refused) } };
  },

  internal_error: async (call, _documented, { deps }) => ({
    ...call,
    deps: { db: failing(deps.db, new Error('An unforeseen error')) },
  }),
};

/** The common errors that are returned before the operation reads or changes anything. */
export const EARLY_ERRORS: ReadonlySet<string> = new Set([
  'unauthenticated',
  'token_invalid',
  'admin_only',
  'rate_limited',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
  'unavailable',
  'internal_error',
]);

/** The same database, with a pool that the caller cannot end. */
export function withoutEnd(db: Database): Database {
  return withMethods(db, { end: async () => {} });
}

function failing(db: Database, error: Error): Database {
  const fail = () => Promise.reject(error);
  return withMethods(db, { query: fail, connect: fail, end: async () => {} });
}

function withMethods(db: Database, methods: Record<string, () => Promise<unknown>>): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const own = typeof name === 'string' ? methods[name] : undefined;
      if (own) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
