import type { FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { accountOf, type Account } from '@proveklar/services/accounts/account.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import type { Role } from '@proveklar/contract/roles.ts';
import { roleOf } from '@proveklar/services/accounts/portal-members.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';
import type { Media } from '#openapi/document.ts';
import { pickLanguage } from '#pages/pick-language.ts';

/**
 * Who may call a route. Each route sets `config.access`; the gateway does not start if one lacks it.
 *
 * - `public`: no token needed
 * - `learner`: a valid token of a user who is not disabled or deleted
 * - `subscriber`: a learner whose service is active, or any learner while the service is free
 * - `editor`, `support`, `editor_or_support`, `operator`: a person with that role in the portal, or an
 *   owner
 * - `portal`: any person with a role in the portal
 * - `owner`: an address in `ADMIN_EMAIL`, verified by Google
 */
export const ACCESS = [
  'public',
  'learner',
  'subscriber',
  'editor',
  'support',
  'editor_or_support',
  'operator',
  'portal',
  'owner',
] as const;
export type Access = (typeof ACCESS)[number];

/** The roles that a route of the portal lets in. */
export const ROLES_OF: Partial<Record<Access, readonly Role[]>> = {
  editor: ['owner', 'editor'],
  support: ['owner', 'support'],
  editor_or_support: ['owner', 'editor', 'support'],
  operator: ['owner', 'operator'],
  portal: ['owner', 'editor', 'support', 'operator'],
  owner: ['owner'],
};

/** The caller of a request, with the role in the portal, which is read on its routes only. */
export type Caller = VerifiedIdentity & { role: Role | null };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The service checks the account in its own SQL statement, which saves a query on a hot path. */
    accountCheckedByService?: boolean;
    /**
     * The service parses the body from its bytes. An object describes it for the API document, by
     * media type.
     */
    rawBody?: boolean | Record<string, Media>;
  }
  interface FastifyInstance {
    /** All routes, for the test that checks each of them. */
    routes: readonly RouteOptions[];
  }
  interface FastifyRequest {
    identity: Caller | null;
    account: Account | null;
  }
}

/**
 * Bodies are buffered in memory, so those of unauthenticated callers must fit there for all connections
 * at once. A registration has 1 kB, a Stripe event about 10 kB.
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
        throw new Error(`${String(method)} ${url} has no access rule: set config.access`);
      }
      if (config.access === 'public') route.bodyLimit ??= MAX_PUBLIC_BODY_BYTES;
      routes.push(route);
    });

    // Before the body is read, so that callers without access cannot upload one.
    app.addHook('onRequest', async (request) => {
      const { access, accountCheckedByService } = request.routeOptions.config;
      if (request.is404 || access === 'public') return;
      const identity = await app.deps.verifyToken(bearerToken(request));
      app.sessions.track(identity);
      const roles = access && ROLES_OF[access];
      const role = roles ? await roleOf(app.deps.db, identity, app.deps.adminEmails) : null;
      if (roles && !(role && roles.includes(role))) throw new AppError('admin_only');
      request.identity = { ...identity, role };
      if (accountCheckedByService) return;
      const account = await accountOf(app.deps.db, identity, () => languageOf(request));
      request.account = account;
      if (access === 'subscriber' && !account.is_active) throw new AppError('service_expired');
    });
  },
  { name: 'access' },
);

/** The bearer token of a request, unverified. */
export function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new AppError('unauthenticated');
  return token;
}

/** The language of the page that sent the request. */
function languageOf({ headers }: FastifyRequest): AppLanguage {
  return pickLanguage({ cookie: headers.cookie, acceptLanguage: headers['accept-language'] });
}

/** The caller's identity, on a route that is not public. */
export function identityOf(request: FastifyRequest): Caller {
  if (!request.identity) throw new Error('This route is public: it has no caller identity');
  return request.identity;
}

/** A sign-in older than this is not recent: the page may have been left open. */
const RECENT_SIGN_IN_MS = 5 * 60 * 1000;

/**
 * The caller's identity, on a route that needs a recent sign-in.
 *
 * @throws AppError `recent_sign_in_required`
 */
export function recentIdentityOf(request: FastifyRequest): Caller {
  const identity = identityOf(request);
  if (Date.now() - identity.signedInAt > RECENT_SIGN_IN_MS)
    throw new AppError('recent_sign_in_required');
  return identity;
}

/** The caller's account, on a route for learners or administrators. */
export function callerOf(request: FastifyRequest): Account {
  if (!request.account) throw new Error('This route does not load the account');
  return request.account;
}
