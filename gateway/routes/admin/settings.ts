import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import { readSettings, type Settings } from '@proveklar/services/settings/settings.ts';
import type { GatewayConfig } from '@proveklar/services/config/config.ts';
import * as docs from '#openapi/examples/settings.ts';
import {
  SettingsRequest,
  SettingsResponse,
  type SettingsResponse as Body,
} from '@proveklar/contract/settings.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { supportEmail } from '#public-config.ts';

export const adminSettingsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { config, db } = app.deps;

  app.get(
    '/settings',
    {
      config: { access: 'admin', docs: docs.readSettings },
      schema: {
        tags: ['admin'],
        summary: 'Price, days, seller and support address',
        response: withErrors({ 200: SettingsResponse }),
      },
    },
    async () => toBody(config, await readSettings(db)),
  );

  app.put(
    '/settings',
    {
      config: { access: 'admin', docs: docs.changeSettings },
      schema: {
        tags: ['admin'],
        summary: 'Change settings; what is left out stays as it is',
        body: SettingsRequest,
        response: withErrors({ 200: SettingsResponse }),
      },
    },
    async (request) => {
      const actor = identityOf(request);
      return toBody(config, await changeSettings(db, actor, request.body));
    },
  );
};

function toBody(config: GatewayConfig, settings: Settings): Body {
  const { price_ore, updated_at, ...rest } = settings;
  return {
    price: price_ore / 100,
    ...rest,
    support_email_in_use: supportEmail(config, settings),
    updated_at: updated_at?.toISOString() ?? null,
  };
}
