import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import { FeedbackRequest, QuestionParams } from '@proveklar/contract/feedback.ts';
import {
  CreateQuestionRequest,
  DeleteQuestionResponse,
  EditQuestionRequest,
  PresenceRequest,
  PresenceResponse,
  QuestionTopicRequest,
  QuestionVersionParams,
  RestoreVersionRequest,
  SiblingParams,
  SiblingsResponse,
  ValidateQuestionRequest,
} from '@proveklar/contract/question-writing.ts';
import {
  BankQuestion,
  BankTopicsResponse,
  QuestionBankResponse,
  QuestionExportQuery,
  QuestionFiltersResponse,
  QuestionsQuery,
  QuestionsResponse,
  QuestionVersionsResponse,
} from '@proveklar/contract/questions.ts';
import { MAX_IMAGE_LENGTH } from '@proveklar/contract/limits.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { reportQuestion } from '@proveklar/services/feedback/report-question.ts';
import { roleOf } from '@proveklar/services/accounts/portal-members.ts';
import { listVersions, readBankQuestion } from '@proveklar/services/questions/bank-question.ts';
import { createQuestion } from '@proveklar/services/questions/create-question.ts';
import {
  changeTopic,
  deleteQuestion,
  editQuestion,
  restoreQuestion,
  restoreVersion,
  validateQuestion,
} from '@proveklar/services/questions/edit-question.ts';
import { exportBank, recordExport } from '@proveklar/services/questions/export-bank.ts';
import { createBankList } from '@proveklar/services/questions/list-bank.ts';
import { notePresence } from '@proveklar/services/questions/presence.ts';
import { bankFilters, countTopics } from '@proveklar/services/questions/question-filter.ts';
import { listSiblings, markAligned } from '@proveklar/services/questions/siblings.ts';
import { listEndedQuestions } from '@proveklar/services/quiz/read-quiz.ts';
import * as writingDocs from '#openapi/examples/question-writing.ts';
import * as docs from '#openapi/examples/questions.ts';
import { callerOf, identityOf, ROLES_OF } from '#plugins/access.ts';
import { perAccount } from '#plugins/rate-limit.ts';

/** An edit with a picture of the largest size. */
const MAX_EDIT_BYTES = MAX_IMAGE_LENGTH + 1024 ** 2;

/** As the specification has it. */
const PAGE_SIZE = 20;

const FILE_TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** Questions of a learner's quizzes, reports of questions, and the question bank for administrators. */
export const questionsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const listBank = createBankList(db);

  app.get(
    '/',
    {
      config: { access: 'learner', docs: docs.listQuestions },
      schema: {
        tags: ['questions'],
        summary: 'The questions of an ended quiz; for an admin, the question bank',
        querystring: QuestionsQuery,
        response: withErrors({ 200: Type.Union([QuestionsResponse, QuestionBankResponse]) }),
      },
    },
    async (request) => {
      const {
        quiz_id: quizId,
        page = 1,
        page_size: pageSize = PAGE_SIZE,
        sort = 'newest',
        ...filter
      } = request.query;
      const role =
        quizId === undefined ? await roleOf(db, identityOf(request), app.deps.adminEmails) : null;
      const isBankRequest = role !== null && ROLES_OF.editor!.includes(role);
      if (isBankRequest) return listBank(filter, { sort, page, pageSize });
      const { quiz_id: _own, ...filters } = request.query;
      if (Object.values(filters).some((value) => value !== undefined)) {
        throw new AppError('admin_only');
      }
      const questions = await listEndedQuestions(db, callerOf(request).id, quizId);
      return { questions, total: questions.length, page: 1 };
    },
  );

  app.get(
    '/filters',
    {
      config: { access: 'editor', docs: docs.readQuestionFilters },
      schema: {
        tags: ['admin'],
        summary: 'The filters of the question bank',
        response: withErrors({ 200: QuestionFiltersResponse }),
      },
    },
    () => bankFilters(db),
  );

  app.get(
    '/topics',
    {
      config: { access: 'editor', docs: docs.countBankTopics },
      schema: {
        tags: ['admin'],
        summary: 'The topics of the question bank, with their numbers of questions',
        response: withErrors({ 200: BankTopicsResponse }),
      },
    },
    async () => ({ topics: await countTopics(db) }),
  );

  // A download, hence not in the API document.
  app.get(
    '/export',
    {
      config: { access: 'editor', unboundedDuration: true },
      schema: { hide: true, querystring: QuestionExportQuery },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      await recordExport(db, { actor: identityOf(request), format, filter });
      const name = `proveklar-questions-${new Date().toISOString().slice(0, 10)}.${format}`;
      return reply
        .type(FILE_TYPES[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportBank(db, format, filter)));
    },
  );

  app.post(
    '/',
    {
      config: { access: 'editor', docs: writingDocs.createQuestion },
      bodyLimit: MAX_EDIT_BYTES,
      schema: {
        tags: ['admin'],
        summary: 'Add a question, or a translation of one',
        body: CreateQuestionRequest,
        response: withErrors({ 201: BankQuestion }),
      },
    },
    async (request, reply) => {
      const {
        language,
        image,
        picture_of: pictureOf,
        translation_of: translationOf,
        ...content
      } = request.body;
      const actor = identityOf(request);
      const question = await createQuestion(db, {
        language,
        content,
        image,
        pictureOf,
        translationOf,
        actor,
      });
      return reply
        .status(201)
        .header('location', `/api/v1/questions/${question.id}`)
        .send(question);
    },
  );

  app.get(
    '/:question',
    {
      config: { access: 'editor', docs: docs.readQuestion },
      schema: {
        tags: ['admin'],
        summary: 'One question of the bank',
        params: QuestionParams,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => readBankQuestion(db, request.params.question),
  );

  app.get(
    '/:question/versions',
    {
      config: { access: 'editor', docs: docs.listQuestionVersions },
      schema: {
        tags: ['admin'],
        summary: 'All versions of a question',
        params: QuestionParams,
        response: withErrors({ 200: QuestionVersionsResponse }),
      },
    },
    async (request) => ({
      versions: await listVersions(db, request.params.question),
    }),
  );

  app.post(
    '/:question/versions/:version/restore',
    {
      config: { access: 'editor', docs: writingDocs.restoreQuestionVersion },
      schema: {
        tags: ['admin'],
        summary: 'Make an earlier version the current one',
        params: QuestionVersionParams,
        body: RestoreVersionRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => {
      const { question, version: restored } = request.params;
      const actor = identityOf(request);
      return restoreVersion(db, { question, restored, version: request.body.version, actor });
    },
  );

  app.get(
    '/:question/siblings',
    {
      config: { access: 'editor', docs: writingDocs.listSiblings },
      schema: {
        tags: ['admin'],
        summary: 'The same question in other languages',
        params: QuestionParams,
        response: withErrors({ 200: SiblingsResponse }),
      },
    },
    async (request) => ({ siblings: await listSiblings(db, request.params.question) }),
  );

  app.post(
    '/:question/siblings/:sibling/aligned',
    {
      config: { access: 'editor', docs: writingDocs.markAligned },
      schema: {
        tags: ['admin'],
        summary: 'Say that two translations say the same now',
        params: SiblingParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await markAligned(db, { ...request.params, actor: identityOf(request) });
      return { ok: true as const };
    },
  );

  app.post(
    '/:question/presence',
    {
      config: { access: 'editor', docs: writingDocs.notePresence },
      schema: {
        tags: ['admin'],
        summary: 'Report that the page of a question is open, and read who else has it open',
        params: QuestionParams,
        body: PresenceRequest,
        response: withErrors({ 200: PresenceResponse }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const { writing } = request.body;
      const actor = identityOf(request);
      return { others: await notePresence(db, { question, writing, actor }) };
    },
  );

  app.put(
    '/:question',
    {
      config: { access: 'editor', docs: writingDocs.editQuestion },
      bodyLimit: MAX_EDIT_BYTES,
      schema: {
        tags: ['admin'],
        summary: 'Edit a question',
        params: QuestionParams,
        body: EditQuestionRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => {
      const { version, revision, ...content } = request.body;
      const actor = identityOf(request);
      const { question } = request.params;
      return editQuestion(db, { question, version, revision, content, actor });
    },
  );

  app.put(
    '/:question/topic',
    {
      config: { access: 'editor', docs: writingDocs.changeQuestionTopic },
      schema: {
        tags: ['admin'],
        summary: 'Change the topic of a question',
        params: QuestionParams,
        body: QuestionTopicRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) =>
      changeTopic(db, {
        ...request.params,
        topic: request.body.topic,
        actor: identityOf(request),
      }),
  );

  app.post(
    '/:question/validate',
    {
      config: { access: 'editor', docs: writingDocs.validateQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Validate a question, or withdraw its validation',
        params: QuestionParams,
        body: ValidateQuestionRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) =>
      validateQuestion(db, {
        ...request.params,
        ...request.body,
        actor: identityOf(request),
      }),
  );

  app.delete(
    '/:question',
    {
      config: { access: 'editor', docs: writingDocs.deleteQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Delete a question, or retire it if quizzes have it',
        params: QuestionParams,
        body: EmptyBody,
        response: withErrors({ 200: DeleteQuestionResponse }),
      },
    },
    async (request) => {
      const target = { ...request.params, actor: identityOf(request) };
      return { ok: true as const, ...(await deleteQuestion(db, target)) };
    },
  );

  app.post(
    '/:question/restore',
    {
      config: { access: 'editor', docs: writingDocs.restoreQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Restore a retired question',
        params: QuestionParams,
        body: EmptyBody,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => restoreQuestion(db, { ...request.params, actor: identityOf(request) }),
  );

  app.post(
    '/:question/feedback',
    {
      config: {
        access: 'learner',
        rateLimit: perAccount('reports'),
        docs: docs.reportQuestion,
      },
      schema: {
        tags: ['questions'],
        summary: 'Report a question of an own quiz',
        params: QuestionParams,
        body: FeedbackRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { type, reason, comment } = request.body;
      const { question } = request.params;
      const accountId = callerOf(request).id;
      await reportQuestion(db, { accountId, question, type, reason, comment });
      return { ok: true as const };
    },
  );
};
