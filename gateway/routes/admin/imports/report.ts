import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readImport, readReport } from '@proveklar/services/imports/read-imports.ts';
import { writeReport } from '@proveklar/services/imports/write-report.ts';
import * as docs from '#openapi/examples/imports.ts';
import { ImportParams, ImportRowsQuery, ImportRowsResponse } from '@proveklar/contract/imports.ts';
import { withErrors } from '@proveklar/contract/common.ts';

const PAGE = 50;

export const importReportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/rows',
    {
      config: { access: 'admin', takesItsTime: true, docs: docs.listImportRows },
      schema: {
        tags: ['admin'],
        summary: 'What became of the rows that did not simply go in',
        params: ImportParams,
        querystring: ImportRowsQuery,
        response: withErrors({ 200: ImportRowsResponse }),
      },
    },
    async (request) => {
      const { outcome, after = 0 } = request.query;
      const query = { outcome, after, limit: PAGE };
      const rows = await readReport(app.deps.db, request.params.id, query);
      return { rows, next_after: rows.length === PAGE ? rows.at(-1)!.row : null };
    },
  );

  app.get(
    '/:id/report',
    {
      config: { access: 'admin' },
      schema: { hide: true, params: ImportParams },
    },
    async (request, reply) => {
      const { id } = request.params;
      // Refused before the first byte: afterwards there is no status to refuse with.
      await readImport(app.deps.db, id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="import-${id}.csv"`)
        .send(Readable.from(writeReport(app.deps.db, id)));
    },
  );
};
