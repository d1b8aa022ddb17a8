import type { FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { accountOf, type Account } from '@proveklar/services/accounts/account.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { isAdmin, type VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';
import type { Media } from '#openapi/document.ts';
import { pickLanguage } from '#pages/pick-language.ts';

/**
 * Who may call a route. Each route says it in its `config.access`; one that does not keeps the
 * gateway from starting.
 *
 * - `public`: anybody
 * - `learner`: a valid token of a user who is not disabled or deleted
 * - `subscriber`: a learner whose service is active, or anyone signed in while it is free
 * - `admin`: an admin's address, verified by Google
 */
export const ACCESS = ['public', 'learner', 'subscriber', 'admin'] as const;
export type Access = (typeof ACCESS)[number];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The service checks the account in its own statement, which saves a query on a hot path. */
    accountCheckedByService?: boolean;
    /**
     * The body is taken as bytes, and looked at by the service. For the API document: what it is, by
     * media type.
     */
    rawBody?: boolean | Record<string, Media>;
  }
  interface FastifyInstance {
    /** Every route there is, for the test that walks them. */
    routes: readonly RouteOptions[];
  }
  interface FastifyRequest {
    identity: VerifiedIdentity | null;
    account: Account | null;
  }
}

/**
 * A body is kept in memory until it has come, so what is taken of those who need no access must fit in there
 * for all connections that there may be. A registration is 1 kB, an event of Stripe's some 10.
 */
const MAX_PUBLIC_BODY_BYTES = 64 * 1024;

export const accessPlugin = fp(
  async (app) => {
    app.decorateRequest('identity', null);
    app.decorateRequest('account', null);

    const routes: RouteOptions[] = [];
    app.decorate('routes', routes);
    app.addHook('onRoute', (route) => {
      const { method, url, config } = route;
      if (!config?.access || !ACCESS.includes(config.access)) {
        throw new Error(`${String(method)} ${url} does not say who may call it: set config.access`);
      }
      if (config.access === 'public') route.bodyLimit ??= MAX_PUBLIC_BODY_BYTES;
      routes.push(route);
    });

    // Before the body is read: nobody without access gets to send us one.
    app.addHook('onRequest', async (request) => {
      const { access, accountCheckedByService } = request.routeOptions.config;
      if (request.is404 || access === 'public') return;
      const identity = await app.deps.verifyToken(bearerToken(request));
      request.identity = identity;
      app.sessions.note(identity);
      if (access === 'admin' && !isAdmin(identity, app.deps.adminEmails)) {
        throw new AppError('admin_only');
      }
      if (accountCheckedByService) return;
      const account = await accountOf(app.deps.db, identity, () => languageOf(request));
      request.account = account;
      if (access === 'subscriber' && !account.is_active) throw new AppError('service_expired');
    });
  },
  { name: 'access' },
);

/** The token that a call was signed with, as it came. */
export function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new AppError('unauthenticated');
  return token;
}

/** The language of the screen from which a browser calls. */
function languageOf({ headers }: FastifyRequest): AppLanguage {
  return pickLanguage({ cookie: headers.cookie, acceptLanguage: headers['accept-language'] });
}

/** Who is calling, on a route that is not public. */
export function identityOf(request: FastifyRequest): VerifiedIdentity {
  if (!request.identity) throw new Error('This route is public: nobody is known to call it');
  return request.identity;
}

/** So long ago they may have signed in: a page left open is no consent to this. */
const RECENT_MS = 5 * 60 * 1000;

/**
 * Who is calling, where that they are signed in is not enough.
 *
 * @throws AppError `recent_sign_in_required`
 */
export function recentIdentityOf(request: FastifyRequest): VerifiedIdentity {
  const identity = identityOf(request);
  if (Date.now() - identity.signedInAt > RECENT_MS) throw new AppError('recent_sign_in_required');
  return identity;
}

/** The caller's account, on a route that is not public. */
export function callerOf(request: FastifyRequest): Account {
  if (!request.account) throw new Error('This route does not read the account');
  return request.account;
}
