import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import * as docs from '#openapi/examples/imports.ts';
import { Import, ImportParams } from '@proveklar/contract/imports.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { toImportBody } from './import-body.ts';

export const readImportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id',
    {
      config: { access: 'admin', docs: docs.readImport },
      schema: {
        tags: ['admin'],
        summary: 'Where an import stands',
        params: ImportParams,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => toImportBody(await readImport(app.deps.db, request.params.id)),
  );
};
