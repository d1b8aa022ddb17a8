import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { TopicsQuery, TopicsResponse } from '@proveklar/contract/questions.ts';
import { readLanguageCoverage } from '@proveklar/services/questions/language-coverage.ts';
import { listTopics } from '@proveklar/services/questions/topics.ts';
import { type ExamFacts, ExamsResponse } from '@proveklar/contract/settings.ts';
import type { Queryable } from '@proveklar/services/database/pool.ts';
import { listExamProfiles } from '@proveklar/services/settings/exam-profiles.ts';
import * as docs from '#openapi/examples/questions.ts';
import * as examDocs from '#openapi/examples/settings.ts';

/** Topics with questions to practise. */
export const topicsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/topics',
    {
      config: { access: 'public', docs: docs.listTopics },
      schema: {
        tags: ['questions'],
        summary: 'Topics with questions to practise',
        querystring: TopicsQuery,
        response: withErrors({ 200: TopicsResponse }),
      },
    },
    async ({ query: { language = 'no' } }) => ({
      topics: await listTopics(app.deps.db, language),
      coverage: await readLanguageCoverage(app.deps.db, language),
    }),
  );
};

/** The public facts of the practice tests. */
export const examsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/exams',
    {
      config: { access: 'public', docs: examDocs.listExams },
      schema: {
        tags: ['quiz'],
        summary: 'The practice tests: numbers of questions, pass mark, time and source',
        response: withErrors({ 200: ExamsResponse }),
      },
    },
    async () => ({ exams: await readExams(app.deps.db) }),
  );
};

/** The exam profiles without which administrator changed them, and when: that is not public. */
export async function readExams(db: Queryable): Promise<ExamFacts[]> {
  const profiles = await listExamProfiles(db);
  return profiles.map(({ updated_at: _at, updated_by: _by, ...exam }) => exam);
}
