import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { importTemplate } from '@proveklar/services/imports/template.ts';
import { ImportFileParams } from '@proveklar/contract/imports.ts';

const TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' };

/** Files to begin with. There is nothing in them that not everybody may know. */
export const importTemplatesRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:format',
    {
      config: { access: 'public' },
      schema: { hide: true, params: ImportFileParams },
    },
    async (request, reply) => {
      const { format } = request.params;
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="questions-template.${format}"`)
        .send(importTemplate(format));
    },
  );
};
