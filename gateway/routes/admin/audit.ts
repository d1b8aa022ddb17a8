import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AuditQuery, AuditResponse } from '@proveklar/contract/audit.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { listAuditEntries } from '@proveklar/services/audit/list-entries.ts';
import * as docs from '#openapi/examples/audit.ts';

/** The audit log of administrators' actions. */
export const auditRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/audit',
    {
      config: { access: 'owner', docs: docs.listAudit },
      schema: {
        tags: ['admin'],
        summary: 'The audit log, newest first',
        querystring: AuditQuery,
        response: withErrors({ 200: AuditResponse }),
      },
    },
    async ({ query: { before, actor, action, subject, ...rest } }) => {
      const filter = { before, actor, action, subject, ...rest };
      const { entries, ...answer } = await listAuditEntries(app.deps.db, filter);
      return {
        ...answer,
        entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      };
    },
  );
};
