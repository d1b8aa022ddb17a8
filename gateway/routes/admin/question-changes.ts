import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, withErrors } from '@proveklar/contract/common.ts';
import {
  QuestionChange,
  QuestionChangeParams,
  QuestionChangeRequest,
  QuestionChangesResponse,
} from '@proveklar/contract/question-changes.ts';
import { listChanges, readChange } from '@proveklar/services/questions/run-bulk-change.ts';
import {
  cancelChange,
  startChange,
  undoChange,
} from '@proveklar/services/questions/start-bulk-change.ts';
import * as docs from '#openapi/examples/question-changes.ts';
import { identityOf } from '#plugins/access.ts';

/** 202 while the change runs in the background. */
const statusOf = ({ state }: { state: string }) =>
  state === 'running' || state === 'undoing' ? 202 : 200;

/** Bulk changes of questions, which run in the background. */
export const questionChangesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/',
    {
      config: { access: 'editor', docs: docs.changeQuestions },
      schema: {
        tags: ['admin'],
        summary: 'Change many questions at once',
        body: QuestionChangeRequest,
        response: withErrors({ 200: QuestionChange, 202: QuestionChange }),
      },
    },
    async (request, reply) => {
      const { action, topic, values, selection } = request.body;
      const actor = identityOf(request);
      const change = await startChange(app.deps.db, {
        action,
        topic,
        values,
        selection,
        actor,
      });
      return reply
        .status(statusOf(change))
        .header('location', `/api/v1/admin/question-changes/${change.id}`)
        .send(change);
    },
  );

  app.get(
    '/',
    {
      config: { access: 'editor', docs: docs.listQuestionChanges },
      schema: {
        tags: ['admin'],
        summary: 'The latest bulk changes',
        response: withErrors({ 200: QuestionChangesResponse }),
      },
    },
    async () => ({ changes: await listChanges(app.deps.db) }),
  );

  app.get(
    '/:id',
    {
      config: { access: 'editor', docs: docs.readQuestionChange },
      schema: {
        tags: ['admin'],
        summary: 'The state of a bulk change',
        params: QuestionChangeParams,
        response: withErrors({ 200: QuestionChange }),
      },
    },
    (request) => readChange(app.deps.db, request.params.id),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access: 'editor', docs: docs.cancelQuestionChange },
      schema: {
        tags: ['admin'],
        summary: 'Cancel a bulk change',
        params: QuestionChangeParams,
        body: EmptyBody,
        response: withErrors({ 200: QuestionChange }),
      },
    },
    (request) => cancelChange(app.deps.db, request.params.id, identityOf(request)),
  );

  app.post(
    '/:id/undo',
    {
      config: { access: 'editor', docs: docs.undoQuestionChange },
      schema: {
        tags: ['admin'],
        summary: 'Undo a bulk change',
        params: QuestionChangeParams,
        body: EmptyBody,
        response: withErrors({ 200: QuestionChange, 202: QuestionChange }),
      },
    },
    async (request, reply) => {
      const change = await undoChange(app.deps.db, request.params.id, identityOf(request));
      return reply.status(statusOf(change)).send(change);
    },
  );
};
