import rateLimit, { type RateLimitOptions, type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { rateLimitAddress } from '@proveklar/services/limits/client-address.ts';
import { callerOf } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The address that rate limits count by. Read in `onRequest`: once the client has left, the socket
     * may have no address, and the request is still processed.
     */
    clientAddress: string;
  }
}

/**
 * Sets `request.clientAddress`. Warns once of a peer that sends X-Forwarded-For and is not in
 * TRUSTED_PROXIES: it may be our proxy, whose clients then share the limits of one address, or a client
 * that pretends to be many. The address is not logged, as no caller's is.
 */
export const clientAddressPlugin = fp(
  async (app) => {
    let hasWarned = false;
    app.decorateRequest('clientAddress', '');
    app.addHook('onRequest', async (request) => {
      request.clientAddress = request.ip ?? '';
      if (hasWarned || !request.headers['x-forwarded-for']) return;
      // More than one address: the peer is trusted.
      if ((request.ips?.length ?? 1) > 1) return;
      hasWarned = true;
      request.log.warn(
        'Ignored X-Forwarded-For from a peer that is not in TRUSTED_PROXIES. If it is your proxy, ' +
          'add it there: until then all its clients share the rate limits of one address.',
      );
    });
  },
  { name: 'client-address' },
);

/** Size of the LRU cache of clients or accounts. */
const MAX_CLIENTS = 10_000;

/**
 * Limits public calls by client address, and calls by account on routes with `rateLimit: perAccount(…)`.
 * Payments, starts of quizzes and expensive calls have limits in the services.
 *
 * Each gateway counts in its own memory, which costs no round trip: with three gateways a client may make
 * up to three times as many calls. Public routes with `rateLimit: false` are not counted: files, of which
 * a first page needs many, and calls by machines.
 */
export const rateLimitPlugin = fp(
  async (app) => {
    const options: RateLimitPluginOptions = {
      max: () => app.deps.limits.publicCalls,
      timeWindow: '1 minute',
      cache: MAX_CLIENTS,
      keyGenerator: ({ clientAddress }) => rateLimitAddress(clientAddress),
      allowList: ({ routeOptions }: FastifyRequest) => routeOptions.config.access !== 'public',
      // The shape of all errors; the errors plugin sets Retry-After.
      errorResponseBuilder: (_request, { ttl }) =>
        new AppError('rate_limited', {
          details: { retry_after_s: Math.max(1, Math.ceil(ttl / 1000)) },
        }),
      addHeaders: NO_HEADERS,
      addHeadersOnExceeding: NO_HEADERS,
    };
    await app.register(rateLimit, options);
  },
  { name: 'rate-limit', dependencies: ['access', 'client-address'] },
);

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
};

/** Limits the calls of an account on a route, per hour. */
export function perAccount(which: 'reports' | 'translations'): RateLimitOptions {
  return {
    max: ({ server }) => server.deps.limits[which],
    timeWindow: '1 hour',
    cache: MAX_CLIENTS,
    // The account is known only here.
    hook: 'preHandler',
    keyGenerator: (request) => callerOf(request).id,
    allowList: [],
  };
}
