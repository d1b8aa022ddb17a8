import basicAuth from '@fastify/basic-auth';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { createTrust, isCrossSite, isSame, type OperatorsConfig } from './who-may-look.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Anybody who reaches the port may ask: the answer tells nothing but that it works. */
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

/**
 * Who may look. Without a password: this machine and `OPERATORS_NETWORKS`. Everybody else gives the
 * user `operator` and `OPERATORS_PASSWORD` (401), or is refused where there is none (403). What changes
 * something is refused to pages of other sites (403), whoever is at the browser.
 */
export const authPlugin = fp<{ kind: string; config: OperatorsConfig }>(
  async (app, { kind, config }) => {
    const { OPERATORS_PASSWORD: password } = config;
    const isTrusted = createTrust(config);
    await app.register(basicAuth, {
      authenticate: { realm: `Proveklar ${kind}` },
      async validate(user, given, request) {
        // Both are compared, whichever is wrong.
        const isRight = [isSame(user, 'operator'), isSame(given, password ?? '')];
        if (password && isRight.every(Boolean)) return;
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
      await new Promise<void>((resolve, reject) => {
        app.basicAuth(request, reply, (error) => (error ? reject(error) : resolve()));
      });
      request.isOperator = true;
    });
  },
  { name: 'operators-auth' },
);

const NO_PASSWORD =
  'From this machine only, by 127.0.0.1 or localhost. Otherwise set OPERATORS_PASSWORD, or OPERATORS_NETWORKS.';

const callerOf = ({ method, headers, socket }: FastifyRequest) => ({
  method,
  headers,
  address: socket.remoteAddress ?? '',
});
