import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listOffered } from '@proveklar/services/languages/languages.ts';
import { readSettings } from '@proveklar/services/settings/settings.ts';
import * as docs from '#openapi/examples/service.ts';
import { ConfigResponse } from '@proveklar/contract/config.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { publicConfig } from '#public-config.ts';

export const configRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { config, db } = app.deps;

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
    async () => publicConfig(config, await readSettings(db), await listOffered(db)),
  );
};
