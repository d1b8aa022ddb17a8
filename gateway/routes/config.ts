import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { ConfigResponse } from '@proveklar/contract/config.ts';
import type { GatewayConfig } from '@proveklar/services/config/config.ts';
import { type Language, listOffered } from '@proveklar/services/languages/languages.ts';
import { readSettings, type Settings } from '@proveklar/services/settings/settings.ts';
import * as docs from '#openapi/examples/service.ts';

/** The runtime configuration of the browser app. */
export const configRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { config, db } = app.deps;

  app.get(
    '/config',
    {
      config: { access: 'public', docs: docs.readConfig },
      schema: {
        tags: ['config'],
        summary: 'Runtime configuration of the browser app',
        response: withErrors({ 200: ConfigResponse }),
      },
    },
    async () => publicConfig(config, await readSettings(db), await listOffered(db)),
  );
};

/** The support address shown to learners: from the settings, otherwise `SUPPORT_EMAIL`. */
export function supportEmail(config: GatewayConfig, settings: Settings): string {
  return settings.support_email ?? config.SUPPORT_EMAIL;
}

/** The public part of the environment, the settings and the offered languages. */
export function publicConfig(
  config: GatewayConfig,
  settings: Settings,
  languages: Language[],
): ConfigResponse {
  const emulatorHost = config.FIREBASE_AUTH_EMULATOR_HOST;
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
    support_email: supportEmail(config, settings),
    seller: sellerOf(settings),
    price: settings.price_ore / 100,
    price_includes_vat: settings.seller_vat_registered,
    currency: 'nok',
    languages,
    service_days: settings.service_days,
  };
}

function sellerOf(settings: Settings): ConfigResponse['seller'] {
  if (settings.seller_name === null) return null;
  return {
    name: settings.seller_name,
    organisation_number: settings.seller_organisation_number,
    address: settings.seller_address,
    vat_registered: settings.seller_vat_registered,
  };
}
