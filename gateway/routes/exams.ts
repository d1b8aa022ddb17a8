import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { ExamsResponse } from '@proveklar/contract/settings.ts';
import { listExamProfiles } from '@proveklar/services/settings/exam-profiles.ts';
import * as docs from '#openapi/examples/settings.ts';

/** The public facts of the practice tests. */
export const examsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/exams',
    {
      config: { access: 'public', docs: docs.listExams },
      schema: {
        tags: ['quiz'],
        summary: 'The practice tests: numbers of questions, pass mark, time and source',
        response: withErrors({ 200: ExamsResponse }),
      },
    },
    async () => {
      const profiles = await listExamProfiles(app.deps.db);
      // Which administrator changed it, and when, is not public.
      return { exams: profiles.map(({ updated_at: _at, updated_by: _by, ...exam }) => exam) };
    },
  );
};
