import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createExtensionIntent } from '@proveklar/services/payments/create-extension-intent.ts';
import * as docs from '#contract/examples/payment.ts';
import { CreateIntentRequest, IntentResponse } from '#contract/payment.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const createIntentRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/create-intent',
    {
      config: { access: 'learner', docs: docs.createIntent },
      schema: {
        tags: ['payment'],
        summary: 'Begin to pay for more service, or go on with what was begun',
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
};
