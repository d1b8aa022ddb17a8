import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import basicAuth from '@fastify/basic-auth';
import { rateLimitAddress } from '@proveklar/services/limits/client-address.ts';
import { createTrust, isCrossSite, isSame, type OperatorsConfig } from './who-may-look.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All who reach the port may ask: the answer says only that it works. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** Whether it comes from where no password is needed, or has brought it. */
    isOperator: boolean;
  }
}

class Refused extends Error {
  readonly statusCode = 403;
}

class TooManyGuesses extends Error {
  readonly statusCode = 429;
}

/** Wrong passwords that one address may give within `GUESSES_WINDOW_MS`; an IPv6 address counts by its /56. */
const MAX_GUESSES = 5;
const GUESSES_WINDOW_MS = 60_000;
/** Addresses that are remembered: more are no operators. */
const MAX_GUESSERS = 10_000;

/**
 * Who may look. Without a password: this machine and `OPERATORS_NETWORKS`. All others give the
 * user `operator` and `OPERATORS_PASSWORD` (401), or is refused where there is none (403). An address that
 * has given five wrong ones waits for up to a minute, also with the right one (429). What changes
 * something is refused to pages of other sites (403), for every user of the browser.
 */
export const authPlugin = fp<{ kind: string; config: OperatorsConfig }>(
  async (app, { kind, config }) => {
    const { OPERATORS_PASSWORD: password } = config;
    const isTrusted = createTrust(config);
    const guesses = new GuessCounter();
    await app.register(basicAuth, {
      authenticate: { realm: `Proveklar ${kind}` },
      async validate(user, given, request) {
        // Both are compared, whichever is wrong.
        const isRight = [isSame(user, 'operator'), isSame(given, password ?? '')];
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
      if (isCrossSite(caller)) throw new Refused('Another site asked for this.');
      request.isOperator = isTrusted(caller);
      if (request.isOperator || request.routeOptions.config.open) return;
      if (!password) throw new Refused(NO_PASSWORD);
      const waitMs = guesses.waitMs(rateLimitAddress(request.ip));
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000);
        reply.header('retry-after', seconds);
        throw new TooManyGuesses(`Too many wrong passwords: try again in ${seconds} s.`);
      }
      await new Promise<void>((resolve, reject) => {
        app.basicAuth(request, reply, (error) => (error ? reject(error) : resolve()));
      });
      request.isOperator = true;
    });
  },
  { name: 'operators-auth' },
);

/** Wrong passwords by address, in this process alone: an operators' port belongs to one. */
class GuessCounter {
  readonly #byAddress = new Map<string, { count: number; until: number }>();

  /** How long an address has to wait before its next guess is looked at; 0 for not at all. */
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
    // Put last again, so that the first is the oldest.
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
  'From this machine only, by 127.0.0.1 or localhost. Otherwise set OPERATORS_PASSWORD, or OPERATORS_NETWORKS.';

const callerOf = ({ method, headers, socket }: FastifyRequest) => ({
  method,
  headers,
  address: socket.remoteAddress ?? '',
});
