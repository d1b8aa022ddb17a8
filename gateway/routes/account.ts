import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AccountExport } from '@proveklar/contract/account-export.ts';
import {
  AccountResponse,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChangeProfileRequest,
} from '@proveklar/contract/account.ts';
import { EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import { RedeemCodeRequest } from '@proveklar/contract/codes.ts';
import { ConfirmResponse } from '@proveklar/contract/payment.ts';
import type { Account, AccountSummary } from '@proveklar/services/accounts/account.ts';
import {
  changePassword,
  changeProfile,
  requestEmailChange,
} from '@proveklar/services/accounts/profile.ts';
import { readWaitingDays, type WaitingDays } from '@proveklar/services/accounts/credit-ledger.ts';
import { redeemCode } from '@proveklar/services/payments/codes/redeem-code.ts';
import { beginExport, endExport } from '@proveklar/services/accounts/limited-calls.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { roleOf } from '@proveklar/services/accounts/portal-members.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import { exportAccount } from '@proveklar/services/privacy/export-account.ts';
import { exportQuizzes } from '@proveklar/services/quiz/personal-data.ts';
import {
  ChoosePasswordRequest,
  ForgotPasswordRequest,
  PasswordLinkRequest,
  PasswordLinkResponse,
} from '@proveklar/contract/password.ts';
import {
  choosePassword,
  forgotPassword,
  readPasswordLink,
} from '@proveklar/services/accounts/password-links.ts';
import * as docs from '#openapi/examples/account.ts';
import { redeemCode as redeemCodeDocs } from '#openapi/examples/code-packets.ts';
import { bearerToken, callerOf, identityOf, recentIdentityOf } from '#plugins/access.ts';
import * as passwordDocs from '#openapi/examples/password.ts';

/** The caller's account: profile, password, address, export and deletion. */
export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/account',
    {
      config: { access: 'learner', docs: docs.readAccount },
      schema: {
        tags: ['account'],
        summary: "The caller's account",
        response: withErrors({ 200: AccountResponse }),
      },
    },
    async (request) => toOwnBody(app, request, callerOf(request)),
  );

  app.put(
    '/account/profile',
    {
      config: { access: 'learner', docs: docs.changeProfile },
      schema: {
        tags: ['account'],
        summary: "Change the caller's name, or the language of mails",
        body: ChangeProfileRequest,
        response: withErrors({ 200: AccountResponse }),
      },
    },
    async (request) => {
      const { display_name: displayName, language } = request.body;
      const change = { displayName, language };
      return toOwnBody(app, request, await changeProfile(app.deps, callerOf(request), change));
    },
  );

  app.put(
    '/account/password',
    {
      config: { access: 'learner', docs: docs.changePassword },
      schema: {
        tags: ['account'],
        summary: "Change the caller's password, which ends all sessions",
        body: ChangePasswordRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      recentIdentityOf(request);
      await changePassword(app.deps, callerOf(request), request.body.password);
      return { ok: true as const };
    },
  );

  app.post(
    '/account/email',
    {
      config: { access: 'learner', docs: docs.changeEmail },
      schema: {
        tags: ['account'],
        summary: "Mail a link that changes the caller's address",
        body: ChangeEmailRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      recentIdentityOf(request);
      const email = request.body.email.toLowerCase();
      const continueUrl = `${app.deps.config.PUBLIC_URL}/quiz?tab=account`;
      const change = { email, idToken: bearerToken(request), continueUrl };
      await requestEmailChange(app.deps, callerOf(request), change);
      return { ok: true as const };
    },
  );

  app.post(
    '/account/redeem-code',
    {
      config: { access: 'learner', docs: redeemCodeDocs },
      schema: {
        tags: ['account'],
        summary: 'Add the days of a code to the account (idempotent)',
        body: RedeemCodeRequest,
        response: withErrors({ 200: ConfirmResponse }),
      },
    },
    async (request) => {
      const { id } = callerOf(request);
      const account = await redeemCode(app.deps, id, request.body.code);
      return toAccountBody(account, await readWaitingDays(app.deps.db, id));
    },
  );

  // Untyped reply: the response is a stream of JSON, which the schema's type cannot check.
  app.get<{ Reply: unknown }>(
    '/account/export',
    {
      config: { access: 'learner', unboundedDuration: true, docs: docs.exportAccount },
      schema: {
        tags: ['account'],
        summary: 'All data about the caller, as a file',
        response: withErrors({ 200: AccountExport }),
      },
    },
    async (request, reply) => {
      const account = callerOf(request);
      const { email: tokenEmail, emailVerified } = identityOf(request);
      const exportId = await beginExport(app.deps, account.id);
      let ended: Promise<void> | undefined;
      const end = () => (ended ??= endExport(app.deps.db, exportId));
      // If the client leaves before the first byte, the stream is never read and never ends.
      const endOnDisconnect = () => end().catch((error: unknown) => request.log.error(error));
      reply.raw.once('close', () => void endOnDisconnect());
      // Before the first byte, so that a failure is still sent as an error.
      const person = { account, tokenEmail, emailVerified };
      const head: Head = await exportAccount(app.deps, person).catch(async (error: unknown) => {
        await end();
        throw error;
      });
      // The client left before the `close` listener was added.
      if (reply.raw.destroyed) {
        await endOnDisconnect();
        return reply.hijack();
      }
      const name = `proveklar-${head.exported_at.slice(0, 10)}.json`;
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportAsJson(head, exportQuizzes(app.deps.db, account.id), end)));
    },
  );

  app.delete(
    '/account',
    {
      // An interrupted deletion leaves an account that refuses all calls but must still be deletable.
      config: { access: 'learner', accountCheckedByService: true, docs: docs.deleteAccount },
      schema: {
        tags: ['account'],
        summary: "Delete the caller's account with its quizzes and answers",
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      // Even without a Google sign-in: the account may be an administrator's.
      if (app.deps.adminEmails.includes(identityOf(request).email)) {
        throw new AppError('cannot_delete_self');
      }
      const { uid, email, emailVerified, signedInAt } = recentIdentityOf(request);
      await deleteUser(app.deps, uid, { signedInAt, verifiedEmail: emailVerified ? email : null });
      return { ok: true as const };
    },
  );
};

async function toOwnBody(
  app: FastifyInstance,
  request: FastifyRequest,
  account: Account,
): Promise<AccountResponse> {
  const { email, display_name, language } = account;
  const role = await roleOf(app.deps.db, identityOf(request), app.deps.adminEmails);
  return {
    ...toAccountBody(account, await readWaitingDays(app.deps.db, account.id)),
    is_admin: role === 'owner',
    role,
    email,
    display_name,
    language,
  };
}

/** An account as several calls return it. */
export function toAccountBody(
  account: AccountSummary,
  waiting: readonly WaitingDays[],
): ConfirmResponse {
  return {
    account: {
      registered_at: account.registered_at.toISOString(),
      service_expires_at: account.service_expires_at?.toISOString() ?? null,
      is_active: account.is_active,
    },
    days_remaining: account.days_remaining,
    waiting_days: waiting.map(({ begins_at, days }) => ({
      begins_at: begins_at.toISOString(),
      days,
    })),
  };
}

type Head = Omit<AccountExport, 'quizzes'>;
type Quizzes = AccountExport['quizzes'];

/**
 * Streams the export: there may be hundreds of quizzes.
 *
 * @param end is called when all is read, before the response ends, or when the reader stops
 */
async function* exportAsJson(
  head: Head,
  quizzes: AsyncIterable<Quizzes>,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    const text = JSON.stringify(head, null, 1);
    yield `${text.slice(0, text.lastIndexOf('}')).trimEnd()},\n "quizzes": [`;
    let separator = '\n';
    for await (const part of quizzes) {
      yield separator + part.map((quiz) => JSON.stringify(quiz, null, 1)).join(',\n');
      separator = ',\n';
    }
    yield '\n]}\n';
  } finally {
    await end();
  }
}

/** Mailed links to choose a password, for people who cannot sign in. */
export const passwordRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/forgot',
    {
      config: { access: 'public', docs: passwordDocs.forgotPassword },
      schema: {
        tags: ['account'],
        summary: 'Mail a link to choose a password',
        body: ForgotPasswordRequest,
        response: withErrors({ 202: Ok }),
      },
    },
    async ({ body, clientAddress }, reply) => {
      await forgotPassword(app.deps, { ...body, clientAddress });
      return reply.status(202).send({ ok: true as const });
    },
  );

  app.post(
    '/link',
    {
      config: { access: 'public', docs: passwordDocs.readPasswordLink },
      schema: {
        tags: ['account'],
        summary: 'Check a mailed link to choose a password',
        body: PasswordLinkRequest,
        response: withErrors({ 200: PasswordLinkResponse }),
      },
    },
    async ({ body }) => {
      const { email } = await readPasswordLink(app.deps, body.token);
      return { email };
    },
  );

  app.post(
    '/choose',
    {
      config: { access: 'public', docs: passwordDocs.choosePassword },
      schema: {
        tags: ['account'],
        summary: 'Choose a password by a mailed link, which ends all sessions',
        body: ChoosePasswordRequest,
        response: withErrors({ 200: PasswordLinkResponse }),
      },
    },
    async ({ body }) => ({ email: await choosePassword(app.deps, body) }),
  );
};
