import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  CancelPaymentRequest,
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  ConfirmRequest,
  ConfirmResponse,
  CreateIntentRequest,
  CreateRegistrationIntentRequest,
  IdempotencyHeaders,
  IntentResponse,
  NotYetResponse,
  PaymentStatusRequest,
  PaymentStatusResponse,
  SearchPaymentsRequest,
} from '@proveklar/contract/payment.ts';
import { cancelPayment } from '@proveklar/services/payments/close-payment.ts';
import {
  confirmExtension,
  confirmRegistration,
} from '@proveklar/services/payments/confirm-payment.ts';
import {
  createExtensionIntent,
  createRegistrationIntent,
} from '@proveklar/services/payments/create-intent.ts';
import { readPaymentStatus } from '@proveklar/services/payments/payment-status.ts';
import { requestPaymentSearch } from '@proveklar/services/payments/search-payments.ts';
import * as docs from '#openapi/examples/payment.ts';
import { callerOf } from '#plugins/access.ts';
import { toAccountBody } from './account.ts';

/** Learners' payments: start, confirm, cancel, where it stands, and search for one that gave no access. */
export const paymentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/create-registration-intent',
    {
      config: { access: 'public', docs: docs.createRegistrationIntent },
      schema: {
        tags: ['payment'],
        summary: 'Start the payment of a registration',
        headers: IdempotencyHeaders,
        body: CreateRegistrationIntentRequest,
        response: withErrors({ 200: IntentResponse }),
      },
    },
    async (request) => {
      const { consent_version: consentVersion, ...registration } = request.body;
      return createRegistrationIntent(app.deps, {
        ...registration,
        consentVersion,
        clientAddress: request.clientAddress,
        clientKey: request.headers['idempotency-key'],
      });
    },
  );

  app.post(
    '/confirm-registration',
    {
      config: { access: 'public', docs: docs.confirmRegistration },
      schema: {
        tags: ['payment'],
        summary: 'Create the account of a registration that is paid or has a code (idempotent)',
        body: ConfirmRegistrationRequest,
        response: withErrors({ 200: ConfirmRegistrationResponse, 202: NotYetResponse }),
      },
    },
    async ({ body, clientAddress }, reply) => {
      const { payment_intent_id: paymentIntentId, code, ...registration } = body;
      const result = await confirmRegistration(app.deps, {
        ...registration,
        paymentIntentId,
        code,
        clientAddress,
      });
      if (result.status !== 'settled') return reply.status(202).send(result);
      const { account, waitingDays, accountExisted, passwordMailed } = result;
      return {
        ...toAccountBody(account, waitingDays),
        account_existed: accountExisted,
        password_mailed: passwordMailed,
      };
    },
  );

  app.post(
    '/create-intent',
    {
      config: { access: 'learner', docs: docs.createIntent },
      schema: {
        tags: ['payment'],
        summary: 'Start or continue the payment of an extension',
        body: CreateIntentRequest,
        response: withErrors({ 200: IntentResponse }),
      },
    },
    async (request) =>
      createExtensionIntent(app.deps, callerOf(request), {
        consentVersion: request.body?.consent_version,
        clientAddress: request.clientAddress,
      }),
  );

  app.post(
    '/confirm',
    {
      config: { access: 'learner', docs: docs.confirmPayment },
      schema: {
        tags: ['payment'],
        summary: 'Settle the payment of an extension (idempotent)',
        body: ConfirmRequest,
        response: withErrors({ 200: ConfirmResponse, 202: NotYetResponse }),
      },
    },
    async (request, reply) => {
      const { payment_intent_id } = request.body;
      const result = await confirmExtension(app.deps, callerOf(request).id, payment_intent_id);
      if (result.status !== 'settled') return reply.status(202).send(result);
      return toAccountBody(result.account, result.waitingDays);
    },
  );

  app.post(
    '/cancel',
    {
      config: { access: 'public', docs: docs.cancelPayment },
      schema: {
        tags: ['payment'],
        summary: 'Cancel a started payment',
        body: CancelPaymentRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async ({ body }) => {
      await cancelPayment(app.deps, body.payment_intent_id, body.client_secret);
      return { ok: true as const };
    },
  );

  app.post(
    '/status',
    {
      config: { access: 'public', docs: docs.readPaymentStatus },
      schema: {
        tags: ['payment'],
        summary: 'Where a payment stands, for a person who returns from a bank or wallet',
        body: PaymentStatusRequest,
        response: withErrors({ 200: PaymentStatusResponse }),
      },
    },
    async ({ body }) => {
      const { registration, packetKey, ...status } = await readPaymentStatus(
        app.deps,
        body.payment_intent_id,
        body.client_secret,
      );
      return {
        ...status,
        packet_key: packetKey,
        registration: registration && {
          email: registration.email,
          username: registration.username,
          needs_password: registration.needsPassword,
        },
      };
    },
  );

  app.post(
    '/search',
    {
      config: { access: 'public', docs: docs.searchPayments },
      schema: {
        tags: ['payment'],
        summary: 'Search for payments that gave no access',
        body: SearchPaymentsRequest,
        response: withErrors({ 202: Ok }),
      },
    },
    async (request, reply) => {
      await requestPaymentSearch(app.deps.db, {
        ...request.body,
        clientAddress: request.clientAddress,
      });
      return reply.status(202).send({ ok: true as const });
    },
  );
};
