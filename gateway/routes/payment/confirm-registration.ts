import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { confirmRegistration } from '@proveklar/services/payments/confirm-registration.ts';
import * as docs from '#contract/examples/payment.ts';
import {
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  NotYetResponse,
} from '#contract/payment.ts';
import { withErrors } from '#contract/responses.ts';
import { toAccountBody } from '../account-body.ts';

export const confirmRegistrationRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/confirm-registration',
    {
      config: { access: 'public', docs: docs.confirmRegistration },
      schema: {
        tags: ['payment'],
        summary: 'Make the account of a registration that was paid; again changes nothing',
        body: ConfirmRegistrationRequest,
        response: withErrors({ 200: ConfirmRegistrationResponse, 202: NotYetResponse }),
      },
    },
    async ({ body, clientAddress }, reply) => {
      const { payment_intent_id: paymentIntentId, ...registration } = body;
      const result = await confirmRegistration(app.deps, {
        ...registration,
        paymentIntentId,
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
};
