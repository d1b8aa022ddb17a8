import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { ExamsResponse } from '@proveklar/contract/settings.ts';
import { listExamProfiles } from '@proveklar/services/settings/exam-profiles.ts';
import * as docs from '#openapi/examples/settings.ts';

/** What the practice tests are like, for everybody. */
export const examsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/exams',
    {
      config: { access: 'public', docs: docs.listExams },
      schema: {
        tags: ['quiz'],
        summary: 'What the practice tests are like, and where that is published',
        response: withErrors({ 200: ExamsResponse }),
      },
    },
    async () => {
      const profiles = await listExamProfiles(app.deps.db);
      // Who of the administrators changed it, and when, is theirs.
      return { exams: profiles.map(({ updated_at: _at, updated_by: _by, ...exam }) => exam) };
    },
  );
};
