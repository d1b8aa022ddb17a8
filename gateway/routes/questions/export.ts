import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { exportBank, recordExport } from '@proveklar/services/questions/export-bank.ts';
import { QuestionExportQuery } from '@proveklar/contract/questions.ts';
import { identityOf } from '#plugins/access.ts';

const TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** A file, and no answer: hence not in the API document. */
export const exportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/export',
    {
      config: { access: 'admin', takesItsTime: true },
      schema: { hide: true, querystring: QuestionExportQuery },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const { db } = app.deps;
      await recordExport(db, { actor: identityOf(request), format, filter });
      const name = `proveklar-questions-${new Date().toISOString().slice(0, 10)}.${format}`;
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportBank(db, format, filter)));
    },
  );
};
