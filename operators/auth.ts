import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import basicAuth from '@fastify/basic-auth';
import { rateLimitAddress } from '@proveklar/services/limits/client-address.ts';
import {
  createTrustCheck,
  isCrossSite,
  isEqualInConstantTime,
  type OperatorsConfig,
} from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no authentication: the answer says only whether the process works. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** Whether the caller is trusted by address, or gave the password. */
    isOperator: boolean;
  }
}

class Forbidden extends Error {
  readonly statusCode = 403;
}

class TooManyWrongPasswords extends Error {
  readonly statusCode = 429;
}

/** Wrong passwords per address within `GUESSES_WINDOW_MS`; IPv6 addresses count by their /56. */
const MAX_GUESSES = 5;
const GUESSES_WINDOW_MS = 60_000;
/** Bounds the memory of the counter; the oldest address is dropped. */
const MAX_GUESSERS = 10_000;

/**
 * Authenticates operators. This host and `OPERATORS_NETWORKS` need no password. Everyone else needs the
 * user `operator` and `OPERATORS_PASSWORD` (401), and is refused where no password is set (403). After
 * five wrong passwords an address waits for up to a minute, even with the right one (429). Requests that
 * change something are refused when a page of another site sent them (403).
 */
export const authPlugin = fp<{ kind: string; config: OperatorsConfig }>(
  async (app, { kind, config }) => {
    const { OPERATORS_PASSWORD: password } = config;
    const isTrusted = createTrustCheck(config);
    const guesses = new GuessCounter();
    await app.register(basicAuth, {
      authenticate: { realm: `Proveklar ${kind}` },
      async validate(user, given, request) {
        // Compares both, so that the time taken does not say which one is wrong.
        const isRight = [
          isEqualInConstantTime(user, 'operator'),
          isEqualInConstantTime(given, password ?? ''),
        ];
        const address = rateLimitAddress(request.ip);
        if (password && isRight.every(Boolean)) {
          guesses.forget(address);
          return;
        }
        guesses.count(address);
        request.log.warn({ address: request.ip }, "wrong operators' password");
        throw new Error('Wrong user or password');
      },
    });

    app.decorateRequest('isOperator', false);
    app.addHook('onRequest', async (request, reply) => {
      const caller = callerOf(request);
      if (isCrossSite(caller)) throw new Forbidden('Cross-site request refused.');
      request.isOperator = isTrusted(caller);
      if (request.isOperator || request.routeOptions.config.open) return;
      if (!password) throw new Forbidden(NO_PASSWORD);
      const waitMs = guesses.waitMs(rateLimitAddress(request.ip));
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000);
        reply.header('retry-after', seconds);
        throw new TooManyWrongPasswords(`Too many wrong passwords: try again in ${seconds} s.`);
      }
      await new Promise<void>((resolve, reject) => {
        app.basicAuth(request, reply, (error) => (error ? reject(error) : resolve()));
      });
      request.isOperator = true;
    });
  },
  { name: 'operators-auth' },
);

/** Counts wrong passwords by address, in this process alone: each process has its own admin port. */
class GuessCounter {
  readonly #byAddress = new Map<string, { count: number; until: number }>();

  /** Milliseconds until the address may try again; 0 for now. */
  waitMs(address: string): number {
    const guesses = this.#byAddress.get(address);
    if (!guesses || guesses.count < MAX_GUESSES) return 0;
    return Math.max(0, guesses.until - Date.now());
  }

  count(address: string): void {
    const now = Date.now();
    const guesses = this.#byAddress.get(address);
    if (guesses && guesses.until > now) {
      guesses.count += 1;
      return;
    }
    // Re-inserts at the end: a Map keeps insertion order, so the first key is the oldest.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count: 1, until: now + GUESSES_WINDOW_MS });
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_GUESSERS) this.#byAddress.delete(oldest!);
  }

  forget(address: string): void {
    this.#byAddress.delete(address);
  }
}

const NO_PASSWORD =
  'Only 127.0.0.1 and localhost have access. To allow others, set OPERATORS_PASSWORD or OPERATORS_NETWORKS.';

const callerOf = ({ method, headers, socket }: FastifyRequest) => ({
  method,
  headers,
  address: socket.remoteAddress ?? '',
});
