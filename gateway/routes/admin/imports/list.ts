import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listImports } from '@proveklar/services/imports/read-imports.ts';
import * as docs from '#openapi/examples/imports.ts';
import { ImportsQuery, ImportsResponse } from '@proveklar/contract/imports.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { toImportBody } from './import-body.ts';

export const listImportsRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/',
    {
      config: { access: 'admin', docs: docs.listImports },
      schema: {
        tags: ['admin'],
        summary: 'The history of imports',
        querystring: ImportsQuery,
        response: withErrors({ 200: ImportsResponse }),
      },
    },
    async (request) => {
      const { page = 1 } = request.query;
      const { imports, total } = await listImports(app.deps.db, page);
      return { imports: imports.map(toImportBody), total, page };
    },
  );
};
