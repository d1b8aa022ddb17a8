import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createRegistrationIntent } from '@proveklar/services/payments/create-registration-intent.ts';
import * as docs from '#contract/examples/payment.ts';
import {
  CreateRegistrationIntentRequest,
  IdempotencyHeaders,
  IntentResponse,
} from '#contract/payment.ts';
import { withErrors } from '#contract/responses.ts';

export const createRegistrationIntentRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/create-registration-intent',
    {
      config: { access: 'public', docs: docs.createRegistrationIntent },
      schema: {
        tags: ['payment'],
        summary: 'Begin a registration',
        headers: IdempotencyHeaders,
        body: CreateRegistrationIntentRequest,
        response: withErrors({ 200: IntentResponse }),
      },
    },
    async (request) => {
      const { consent_version: consentVersion, ...wish } = request.body;
      return createRegistrationIntent(app.deps, {
        ...wish,
        consentVersion,
        clientAddress: request.clientAddress,
        clientKey: request.headers['idempotency-key'],
      });
    },
  );
};
