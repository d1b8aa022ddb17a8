import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readSettings } from '@proveklar/services/settings/settings.ts';
import * as docs from '#contract/examples/config.ts';
import { ConfigResponse } from '#contract/config.ts';
import { withErrors } from '#contract/responses.ts';

export const configRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { config, db } = app.deps;
  const emulatorHost = config.FIREBASE_AUTH_EMULATOR_HOST;

  app.get(
    '/config',
    {
      config: { access: 'public', docs: docs.readConfig },
      schema: {
        tags: ['config'],
        summary: 'What a browser needs to know at run time',
        response: withErrors({ 200: ConfigResponse }),
      },
    },
    async () => {
      const settings = await readSettings(db);
      return {
        identity: {
          api_key: config.FIREBASE_API_KEY,
          auth_domain: config.FIREBASE_AUTH_DOMAIN,
          project_id: config.FIREBASE_PROJECT_ID,
          emulator_url: emulatorHost ? `http://${emulatorHost}` : null,
        },
        stripe: {
          publishable_key: config.STRIPE_PUBLISHABLE_KEY,
          script_url: config.STRIPE_API_URL ? `${config.STRIPE_API_URL}/stripe.js` : null,
        },
        support_email: config.SUPPORT_EMAIL,
        price: settings.price_ore / 100,
        currency: 'nok' as const,
        service_days: settings.service_days,
      };
    },
  );
};
