import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Closed, EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  DisableUserRequest,
  PersonResponse,
  User,
  UserParams,
  UsersQuery,
  UsersResponse,
} from '@proveklar/contract/users.ts';
import {
  disableUser,
  enableUser,
  sendPasswordLink,
} from '@proveklar/services/accounts/disable-user.ts';
import {
  countUsers,
  countUsersWithActivity,
  listUsers,
  searchUsers,
  type User as UserRecord,
} from '@proveklar/services/accounts/users.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { readPerson } from '@proveklar/services/portal/person.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import {
  Grant,
  GrantAudience,
  GrantRequest,
  OrderHeaders,
} from '@proveklar/contract/admin-payments.ts';
import { countActive, grantDays } from '@proveklar/services/accounts/grant-days.ts';
import * as docs from '#openapi/examples/users.ts';
import { cached } from '#pages/cached.ts';
import { identityOf } from '#plugins/access.ts';
import * as grantDocs from '#openapi/examples/admin-payments.ts';
import { toListedBody } from './payments.ts';

const PAGE_SIZE = 50;
const ACTIVITY_CACHE_MS = 10_000;

/** The users of the service, for administrators. */
export const usersRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const withActivity = cached(ACTIVITY_CACHE_MS, () => countUsersWithActivity(db));

  app.get(
    '/',
    {
      config: { access: 'support', docs: docs.listUsers },
      schema: {
        tags: ['admin'],
        summary: 'All users, or those that a search or filter matches',
        querystring: UsersQuery,
        response: withErrors({ 200: UsersResponse }),
      },
    },
    async (request) => {
      const {
        page_token: pageToken,
        page_size: pageSize = PAGE_SIZE,
        email,
        ...rest
      } = request.query;
      const pagination = { pageSize, pageToken };
      const part = email?.trim() ?? '';
      const isListed = part === '' && Object.values(rest).every((value) => value === undefined);
      const [page, counts, active] = await Promise.all([
        isListed
          ? listUsers(app.deps, pagination)
          : searchUsers(app.deps, { part, ...rest }, pagination),
        countUsers(db),
        withActivity(),
      ]);
      return {
        users: page.users.map((user) => toUserBody(user, identityOf(request))),
        next_page_token: page.nextPageToken,
        // The two counts are seconds apart, so one could exceed the other.
        stats: { ...counts, users_with_activity: Math.min(active, counts.total_users) },
      };
    },
  );

  app.get(
    '/:uid',
    {
      config: { access: 'support', docs: docs.readPerson },
      schema: {
        tags: ['admin'],
        summary: 'A user with access, quizzes, payments and mails',
        params: UserParams,
        querystring: Closed({}),
        response: withErrors({ 200: PersonResponse }),
      },
    },
    async (request) => {
      const person = await readPerson(app.deps, request.params.uid);
      return {
        user: toUserBody(person.user, identityOf(request)),
        quizzes: person.quizzes.map((quiz) => ({
          ...quiz,
          started_at: quiz.started_at.toISOString(),
          ended_at: quiz.ended_at?.toISOString() ?? null,
        })),
        access: person.access,
        shares_progress: person.sharesProgress,
        readiness: person.readiness,
        payments: person.payments.map(toListedBody),
        mails: person.mails.map((mail) => ({ ...mail, at: mail.at.toISOString() })),
      };
    },
  );

  app.post(
    '/:uid/disable',
    {
      config: { access: 'support', docs: docs.disableUser },
      schema: {
        tags: ['admin'],
        summary: 'Disable a user, from their next request on',
        params: UserParams,
        body: DisableUserRequest,
        response: withErrors({ 200: User }),
      },
    },
    async (request) => {
      const { params, body } = request;
      const caller = identityOf(request);
      return toUserBody(await disableUser(app.deps, params.uid, caller, body?.reason), caller);
    },
  );

  app.post(
    '/:uid/enable',
    {
      config: { access: 'support', docs: docs.enableUser },
      schema: {
        tags: ['admin'],
        summary: 'Enable a disabled user',
        params: UserParams,
        body: EmptyBody,
        response: withErrors({ 200: User }),
      },
    },
    async (request) => {
      const caller = identityOf(request);
      return toUserBody(await enableUser(app.deps, request.params.uid, caller), caller);
    },
  );

  app.post(
    '/:uid/password-link',
    {
      config: { access: 'support', docs: docs.sendPasswordLink },
      schema: {
        tags: ['admin'],
        summary: 'Mail a user a link to choose a password',
        params: UserParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { uid } = request.params;
      await sendPasswordLink(app.deps, { uid, actor: identityOf(request) });
      return { ok: true as const };
    },
  );

  app.delete(
    '/:uid',
    {
      config: { access: 'support', docs: docs.deleteUser },
      schema: {
        tags: ['admin'],
        summary: 'Delete a user with their quizzes and answers',
        params: UserParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const caller = identityOf(request);
      await deleteUser(app.deps, request.params.uid, caller);
      return { ok: true as const };
    },
  );
};

/** A user as the API returns it to this caller. */
function toUserBody(user: UserRecord, caller: VerifiedIdentity): User {
  return {
    ...user,
    created_at: user.created_at.toISOString(),
    last_login: user.last_login?.toISOString() ?? null,
    last_refresh: user.last_refresh?.toISOString() ?? null,
    last_active_at: user.last_active_at?.toISOString() ?? null,
    service_expires_at: user.service_expires_at?.toISOString() ?? null,
    is_self: user.uid === caller.uid || user.email === caller.email,
  };
}

/** Days of service that administrators grant without a payment. */
export const grantsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/grants/audience',
    {
      config: { access: 'support', docs: grantDocs.countGrantAudience },
      schema: {
        tags: ['admin'],
        summary: 'The number of accounts that a grant to all active accounts reaches',
        response: withErrors({ 200: GrantAudience }),
      },
    },
    async () => ({ accounts: await countActive(app.deps.db) }),
  );

  app.post(
    '/grants',
    {
      config: { access: 'support', docs: grantDocs.grantDays },
      schema: {
        tags: ['admin'],
        summary: 'Grant days of service to a user, or to all active accounts',
        headers: OrderHeaders,
        body: GrantRequest,
        response: withErrors({ 200: Grant }),
      },
    },
    async (request) => {
      const grant = await grantDays(app.deps, {
        to: receiverOf(request.body),
        days: request.body.days,
        note: request.body.note.trim(),
        key: request.headers['idempotency-key'],
        actor: identityOf(request),
      });
      const { id, audience, days, note, accounts, created_by } = grant;
      const created_at = grant.created_at.toISOString();
      return { id, audience, days, note, accounts, created_by, created_at };
    },
  );
};

/** The receiver in the body. It rejects contradictions, so that no grant reaches all accounts by accident. */
function receiverOf({ audience, uid }: GrantRequest) {
  if (audience === 'active' && uid === undefined) return { audience };
  if (audience === 'account' && uid !== undefined) return { audience, uid };
  throw new AppError('validation_failed', {
    message: uid === undefined ? 'uid is missing' : 'uid is only for the audience "account"',
    details: { field: 'uid', part: 'body' },
  });
}
