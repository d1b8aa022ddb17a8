import rateLimit, { type RateLimitOptions, type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { rateLimitAddress } from '@proveklar/services/limits/client-address.ts';
import { callerOf } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whose call counts against the limits. Read when the headers have come: a socket whose client has left
     * may have no address any more, and a call that was sent is done all the same.
     */
    clientAddress: string;
  }
}

/**
 * Keeps the client's address for the limits. Warns the operator, once, of a proxy that may have been forgotten
 * in TRUSTED_PROXIES: its header is not believed, and everybody behind it shares the limits of one client. It may
 * also be a client that tries to look like many. The address is not logged, as no caller's is.
 */
export const forwardedPlugin = fp(
  async (app) => {
    let isTold = false;
    app.decorateRequest('clientAddress', '');
    app.addHook('onRequest', async (request) => {
      request.clientAddress = request.ip ?? '';
      if (isTold || !request.headers['x-forwarded-for']) return;
      // The peer, and what the header says, as far as it is believed.
      if ((request.ips?.length ?? 1) > 1) return;
      isTold = true;
      request.log.warn(
        'X-Forwarded-For from a peer that TRUSTED_PROXIES does not name was ignored. If that is ' +
          'your proxy, name it: until then all its clients count as one.',
      );
    });
  },
  { name: 'forwarded' },
);

/** As many clients, or accounts, as are remembered; the one that was away longest is forgotten first. */
const MOST_CLIENTS = 10_000;

/**
 * Limits the public calls of a client address, and the calls of an account on routes that say
 * `rateLimit: perAccount(…)`. What moves money, starts quizzes or takes long has limits in the services.
 *
 * Counted in the memory of each gateway, so that no call costs a round trip more: with three gateways
 * a client may do up to three times as much. A public route that says `rateLimit: false` is not
 * counted: files, of which a first page needs many, and what machines call.
 */
export const rateLimitPlugin = fp(
  async (app) => {
    const options: RateLimitPluginOptions = {
      max: () => app.deps.limits.publicCalls,
      timeWindow: '1 minute',
      cache: MOST_CLIENTS,
      keyGenerator: ({ clientAddress }) => rateLimitAddress(clientAddress),
      allowList: ({ routeOptions }: FastifyRequest) => routeOptions.config.access !== 'public',
      // The one shape of errors, with the Retry-After of all of them.
      errorResponseBuilder: (_request, { ttl }) =>
        new AppError('rate_limited', {
          details: { retry_after_s: Math.max(1, Math.ceil(ttl / 1000)) },
        }),
      addHeaders: NO_HEADERS,
      addHeadersOnExceeding: NO_HEADERS,
    };
    await app.register(rateLimit, options);
  },
  { name: 'rate-limit', dependencies: ['access', 'forwarded'] },
);

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
};

/** Limits what an account does on a route within an hour. */
export function perAccount(which: 'reports' | 'translations'): RateLimitOptions {
  return {
    max: ({ server }) => server.deps.limits[which],
    timeWindow: '1 hour',
    cache: MOST_CLIENTS,
    // After the account is known.
    hook: 'preHandler',
    keyGenerator: (request) => callerOf(request).id,
    allowList: [],
  };
}
