import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, withErrors } from '@proveklar/contract/common.ts';
import {
  ChangedReportsResponse,
  CloseFeedbackRequest,
  FeedbackQuery,
  FeedbackResponse,
  QuestionParams,
  ReportedQuestionsQuery,
  ReportedQuestionsResponse,
} from '@proveklar/contract/feedback.ts';
import { closeReports, reopenReports } from '@proveklar/services/feedback/report-question.ts';
import { listReportedQuestions, listReports } from '@proveklar/services/feedback/list-reports.ts';
import * as docs from '#openapi/examples/admin-feedback.ts';
import { identityOf } from '#plugins/access.ts';

/** Learners' reports of questions, for administrators. */
export const adminFeedbackRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/feedback',
    {
      config: { access: 'editor_or_support', docs: docs.listFeedback },
      schema: {
        tags: ['admin'],
        summary: "Learners' reports, newest first",
        querystring: FeedbackQuery,
        response: withErrors({ 200: FeedbackResponse }),
      },
    },
    async (request) => {
      const { state, question_id: questionId, page = 1 } = request.query;
      const { feedback, ...answer } = await listReports(db, { state, questionId, page });
      // Editors mend questions. They need not know who reported them.
      const seesWho = identityOf(request).role !== 'editor';
      const items = feedback.map((item) => (seesWho ? item : { ...item, user_email: null }));
      return { ...answer, feedback: items.map(withIsoTimes) };
    },
  );

  app.get(
    '/feedback/questions',
    {
      config: { access: 'editor_or_support', docs: docs.listReportedQuestions },
      schema: {
        tags: ['admin'],
        summary: 'The questions that learners reported',
        querystring: ReportedQuestionsQuery,
        response: withErrors({ 200: ReportedQuestionsResponse }),
      },
    },
    async ({ query: { state = 'open', sort = 'newest', page = 1 } }) => {
      const { questions, ...answer } = await listReportedQuestions(db, { state, sort, page });
      return {
        ...answer,
        questions: questions.map((question) => ({
          ...question,
          comments: question.comments.map(withIsoTimes),
          first_reported_at: question.first_reported_at.toISOString(),
          last_reported_at: question.last_reported_at.toISOString(),
        })),
      };
    },
  );

  app.post(
    '/feedback/questions/:question/close',
    {
      config: { access: 'editor_or_support', docs: docs.closeFeedback },
      schema: {
        tags: ['admin'],
        summary: "Close a question's open reports, as fixed or dismissed",
        params: QuestionParams,
        body: CloseFeedbackRequest,
        response: withErrors({ 200: ChangedReportsResponse }),
      },
    },
    async (request) => {
      const { state, reported_until: until } = request.body;
      const { question } = request.params;
      const actor = identityOf(request);
      const reportedUntil = until === undefined ? undefined : new Date(until);
      const reports = await closeReports(db, { actor, question, state, reportedUntil });
      return { ok: true as const, reports };
    },
  );

  app.post(
    '/feedback/questions/:question/reopen',
    {
      config: { access: 'editor_or_support', docs: docs.reopenFeedback },
      schema: {
        tags: ['admin'],
        summary: 'Reopen the reports of a question that were closed last',
        params: QuestionParams,
        body: EmptyBody,
        response: withErrors({ 200: ChangedReportsResponse }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const actor = identityOf(request);
      return { ok: true as const, reports: await reopenReports(db, { actor, question }) };
    },
  );
};

function withIsoTimes<T extends { created_at: Date }>(item: T) {
  return { ...item, created_at: item.created_at.toISOString() };
}
