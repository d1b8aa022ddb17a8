import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { isAdmin } from '@proveklar/services/identity/verified-identity.ts';
import { bankFilters } from '@proveklar/services/questions/question-filter.ts';
import { createBankList } from '@proveklar/services/questions/list-bank.ts';
import { listEndedQuestions } from '@proveklar/services/quiz/read-quiz.ts';
import * as docs from '#openapi/examples/questions.ts';
import {
  QuestionBankResponse,
  QuestionFiltersResponse,
  QuestionsQuery,
  QuestionsResponse,
} from '@proveklar/contract/questions.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { callerOf, identityOf } from '#plugins/access.ts';

export const listRoute: FastifyPluginAsyncTypebox = async (app) => {
  const listBank = createBankList(app.deps.db);
  app.get(
    '/',
    {
      config: { access: 'learner', docs: docs.listQuestions },
      schema: {
        tags: ['questions'],
        summary: 'The questions of a quiz that was ended; for an admin, the question bank',
        querystring: QuestionsQuery,
        response: withErrors({ 200: Type.Union([QuestionsResponse, QuestionBankResponse]) }),
      },
    },
    async (request) => {
      const { quiz_id: quizId, page = 1, sort = 'newest', ...filter } = request.query;
      const ofBank = isAdmin(identityOf(request), app.deps.adminEmails) && quizId === undefined;
      if (ofBank) return listBank(filter, { sort, page });
      const { quiz_id: _own, ...others } = request.query;
      if (Object.values(others).some((value) => value !== undefined)) {
        throw new AppError('admin_only');
      }
      const questions = await listEndedQuestions(app.deps.db, callerOf(request).id, quizId);
      return { questions, total: questions.length, page: 1 };
    },
  );

  app.get(
    '/filters',
    {
      config: { access: 'admin', docs: docs.readQuestionFilters },
      schema: {
        tags: ['admin'],
        summary: 'What the question bank can be filtered by',
        response: withErrors({ 200: QuestionFiltersResponse }),
      },
    },
    () => bankFilters(app.deps.db),
  );
};
