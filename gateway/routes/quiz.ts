import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  AnswerRequest,
  AnswerResponse,
  EndQuizResponse,
  HistoryQuery,
  HistoryResponse,
  MarkParams,
  MarkRequest,
  OpenQuizzesResponse,
  ProgressResponse,
  QuizParams,
  QuizSession,
  StartQuizRequest,
  Translation,
  TranslationParams,
  TranslationQuery,
} from '@proveklar/contract/quiz.ts';
import { answerQuestion } from '@proveklar/services/quiz/answer-question.ts';
import { cancelQuiz, endQuiz } from '@proveklar/services/quiz/end-quiz.ts';
import {
  type HistoryItem,
  listHistory,
  listOpenQuizzes,
  readRemainingHistory,
} from '@proveklar/services/quiz/quiz-history.ts';
import { readProgress } from '@proveklar/services/quiz/read-progress.ts';
import { markQuestion, readQuiz } from '@proveklar/services/quiz/read-quiz.ts';
import { readTranslation } from '@proveklar/services/quiz/read-translation.ts';
import { startQuiz } from '@proveklar/services/quiz/start-quiz.ts';
import * as docs from '#openapi/examples/quiz.ts';
import { callerOf, identityOf } from '#plugins/access.ts';
import { perAccount } from '#plugins/rate-limit.ts';

const DEFAULT_QUESTION_COUNT = 10;

/** A learner's drills and practice tests, their history and progress. */
export const quizRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.post(
    '/start',
    {
      config: { access: 'subscriber', docs: docs.startQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Start a quiz: a drill or a practice test',
        body: StartQuizRequest,
        response: withErrors({ 200: QuizSession }),
      },
    },
    async (request) => {
      const { body } = request;
      return startQuiz(app.deps, callerOf(request).id, {
        topic: body.topic,
        mistakesOf: body.mistakes_of,
        language: body.language ?? 'no',
        instantFeedback: body.instant_feedback ?? true,
        questionCount: body.question_count ?? DEFAULT_QUESTION_COUNT,
        exam: body.exam,
        timed: body.timed ?? true,
        newFirst: body.new_first ?? false,
      });
    },
  );

  app.get(
    '/open',
    {
      config: { access: 'learner', docs: docs.listOpenQuizzes },
      schema: {
        tags: ['quiz'],
        summary: 'Open quizzes, to continue on any device',
        response: withErrors({ 200: OpenQuizzesResponse }),
      },
    },
    async (request) => {
      const quizzes = await listOpenQuizzes(db, callerOf(request).id);
      return {
        quizzes: quizzes.map((quiz) => ({ ...quiz, started_at: quiz.started_at.toISOString() })),
      };
    },
  );

  // Untyped reply: a long history is sent as a stream, which the schema's type cannot check.
  app.get<{ Querystring: HistoryQuery }>(
    '/history',
    {
      config: { access: 'learner', docs: docs.listHistory },
      schema: {
        tags: ['quiz'],
        summary: 'Ended quizzes, newest first',
        querystring: HistoryQuery,
        response: withErrors({ 200: HistoryResponse }),
      },
    },
    async (request, reply) => {
      const { id } = callerOf(request);
      // Before the first byte, so that a failure is still sent as an error.
      const first = await listHistory(db, id, request.query);
      if (request.query.limit !== undefined || first.next_before === null) {
        const { history, next_before } = first;
        return { history: history.map(toHistoryBody), next_before } satisfies HistoryResponse;
      }
      const rest = readRemainingHistory(db, id, first);
      return reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(historyAsJson(first.history, rest)));
    },
  );

  app.get(
    '/progress',
    {
      config: { access: 'learner', docs: docs.readProgress },
      schema: {
        tags: ['quiz'],
        summary: 'Progress by topic, and the number of mistakes',
        response: withErrors({ 200: ProgressResponse }),
      },
    },
    async (request) => {
      const progress = await readProgress(db, callerOf(request).id);
      return {
        ...progress,
        topics: progress.topics.map((topic) => ({
          ...topic,
          last_practised_at: topic.last_practised_at.toISOString(),
        })),
      };
    },
  );

  app.get(
    '/:id',
    {
      config: { access: 'learner', docs: docs.readQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'The current state of a quiz, with questions and answers',
        params: QuizParams,
        response: withErrors({ 200: QuizSession }),
      },
    },
    async (request) => readQuiz(db, callerOf(request).id, request.params.id),
  );

  app.post(
    '/:id/answer',
    {
      config: { access: 'learner', accountCheckedByService: true, docs: docs.answerQuestion },
      schema: {
        tags: ['quiz'],
        summary: 'Answer a question',
        params: QuizParams,
        body: AnswerRequest,
        response: withErrors({ 200: AnswerResponse }),
      },
    },
    async (request) => {
      const { uid, signedInAt } = identityOf(request);
      const { question_id: questionUuid, answer, shown_ms: shownMs } = request.body;
      const quizId = request.params.id;
      return answerQuestion(db, { uid, signedInAt, quizId, questionUuid, answer, shownMs });
    },
  );

  app.put(
    '/:id/questions/:uuid/mark',
    {
      config: { access: 'learner', docs: docs.markQuestion },
      schema: {
        tags: ['quiz'],
        summary: 'Mark a question of a practice test for later',
        params: MarkParams,
        body: MarkRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { id, uuid } = request.params;
      const { marked } = request.body;
      await markQuestion(db, callerOf(request).id, {
        quizId: id,
        questionUuid: uuid,
        marked,
      });
      return { ok: true as const };
    },
  );

  app.get(
    '/:id/questions/:uuid/translation',
    {
      config: {
        access: 'learner',
        rateLimit: perAccount('translations'),
        docs: docs.readTranslation,
      },
      schema: {
        tags: ['quiz'],
        summary: 'A question in another language, once its key may be shown',
        params: TranslationParams,
        querystring: TranslationQuery,
        response: withErrors({ 200: Translation }),
      },
    },
    async (request) => {
      const { id: quizId, uuid: questionUuid } = request.params;
      const { language } = request.query;
      return readTranslation(db, callerOf(request).id, { quizId, questionUuid, language });
    },
  );

  app.post(
    '/:id/end',
    {
      config: { access: 'learner', docs: docs.endQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Hand in a quiz (idempotent)',
        params: QuizParams,
        body: EmptyBody,
        response: withErrors({ 200: EndQuizResponse }),
      },
    },
    async (request) => endQuiz(db, callerOf(request).id, request.params.id),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access: 'learner', docs: docs.cancelQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Cancel a quiz, without a result',
        params: QuizParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await cancelQuiz(db, callerOf(request).id, request.params.id);
      return { ok: true as const };
    },
  );
};

type Item = HistoryResponse['history'][number];

function toHistoryBody(run: HistoryItem): Item {
  return {
    ...run,
    completed_at: run.completed_at.toISOString(),
    regraded_at: run.regraded_at?.toISOString() ?? null,
  };
}

/** Streams a whole history: there may be thousands of quizzes. */
async function* historyAsJson(
  first: HistoryItem[],
  rest: AsyncIterable<HistoryItem[]>,
): AsyncGenerator<string> {
  const asText = (part: HistoryItem[]) =>
    part.map((run) => JSON.stringify(toHistoryBody(run))).join(',');
  yield `{"history":[${asText(first)}`;
  for await (const part of rest) yield `,${asText(part)}`;
  yield '],"next_before":null}';
}
