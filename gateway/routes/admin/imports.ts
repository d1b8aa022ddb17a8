import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  DecideRowRequest,
  Import,
  ImportEditsResponse,
  ImportParams,
  ImportReportQuery,
  ImportRowParams,
  ImportRowsQuery,
  ImportRowsResponse,
  ImportsQuery,
  ImportsResponse,
} from '@proveklar/contract/imports.ts';
import { DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import {
  DismissNearDuplicateRequest,
  NearDuplicateParams,
  NearDuplicatesQuery,
  NearDuplicatesResponse,
  SameAnsweredQuery,
  SameAnsweredResponse,
} from '@proveklar/contract/near-duplicates.ts';
import { decideRow } from '@proveklar/services/imports/decide-row.ts';
import {
  IMPORT_STEPS,
  type ImportStep,
  stepImport,
} from '@proveklar/services/imports/end-import.ts';
import {
  type ImportSummary,
  listImports,
  readImport,
} from '@proveklar/services/imports/read-imports.ts';
import { readReport } from '@proveklar/services/imports/read-report.ts';
import { rejectedRows, writeReport } from '@proveklar/services/imports/write-report.ts';
import { countEditedSince } from '@proveklar/services/imports/undo-import.ts';
import {
  cancelNearDuplicates,
  dismissNearDuplicate,
  listNearDuplicates,
  listSameAnswered,
} from '@proveklar/services/near-duplicates/near-duplicates.ts';
import * as docs from '#openapi/examples/imports.ts';
import * as nearDuplicateDocs from '#openapi/examples/near-duplicates.ts';
import { identityOf } from '#plugins/access.ts';

const ROWS_PER_PAGE = 50;

const STEPS: Record<ImportStep, { summary: string; docs: typeof docs.cancelImport }> = {
  cancel: { summary: 'Cancel an import; none of its questions remain', docs: docs.cancelImport },
  confirm: { summary: 'Turn a dry run into an import', docs: docs.confirmImport },
  discard: { summary: 'Discard a dry run', docs: docs.discardImport },
  undo: { summary: 'Undo an import', docs: docs.undoImport },
};

/** Imports for administrators: state, report, cancel, undo, and near-duplicates. */
export const importsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'editor', docs: docs.listImports },
      schema: {
        tags: ['admin'],
        summary: 'Imports, newest first',
        querystring: ImportsQuery,
        response: withErrors({ 200: ImportsResponse }),
      },
    },
    async (request) => {
      const { page = 1 } = request.query;
      const { imports, total } = await listImports(db, page);
      return { imports: imports.map(toImportBody), total, page };
    },
  );

  app.get(
    '/:id',
    {
      config: { access: 'editor', docs: docs.readImport },
      schema: {
        tags: ['admin'],
        summary: 'The state of an import',
        params: ImportParams,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => toImportBody(await readImport(db, request.params.id)),
  );

  for (const step of IMPORT_STEPS) {
    app.post(
      `/:id/${step}`,
      {
        config: { access: 'editor', docs: STEPS[step].docs },
        schema: {
          tags: ['admin'],
          summary: STEPS[step].summary,
          params: ImportParams,
          body: EmptyBody,
          response: withErrors({ 200: Import }),
        },
      },
      async (request) => {
        const { id } = request.params;
        await stepImport(db, id, step, identityOf(request));
        return toImportBody(await readImport(db, id));
      },
    );
  }

  app.get(
    '/:id/rows',
    {
      config: { access: 'editor', unboundedDuration: true, docs: docs.listImportRows },
      schema: {
        tags: ['admin'],
        summary: 'Rejected rows, duplicates and rows with warnings',
        params: ImportParams,
        querystring: ImportRowsQuery,
        response: withErrors({ 200: ImportRowsResponse }),
      },
    },
    async (request) => {
      const { outcome, after = 0 } = request.query;
      const query = { outcome, after, limit: ROWS_PER_PAGE };
      const rows = await readReport(db, request.params.id, query);
      return { rows, next_after: rows.length === ROWS_PER_PAGE ? rows.at(-1)!.row : null };
    },
  );

  app.post(
    '/:id/rows/:row/decision',
    {
      config: { access: 'editor', docs: docs.decideImportRow },
      schema: {
        tags: ['admin'],
        summary:
          'Decide about a row with other answers: update the question, or add it with another text',
        params: ImportRowParams,
        body: DecideRowRequest,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => {
      const { id, row } = request.params;
      const { action, question = '' } = request.body;
      await decideRow(db, {
        importId: id,
        row,
        // A text that is missing is refused as a blank one of a row is.
        decision: action === 'add' ? { action, question } : { action },
        actor: identityOf(request),
      });
      return toImportBody(await readImport(db, id));
    },
  );

  app.get(
    '/:id/edits',
    {
      config: { access: 'editor', docs: docs.readImportEdits },
      schema: {
        tags: ['admin'],
        summary: 'Edits of questions of an import that undoing it would delete',
        params: ImportParams,
        response: withErrors({ 200: ImportEditsResponse }),
      },
    },
    async (request) => ({ edited: await countEditedSince(db, request.params.id) }),
  );

  app.get(
    '/:id/report',
    {
      config: { access: 'editor' },
      schema: { hide: true, params: ImportParams, querystring: ImportReportQuery },
    },
    async (request, reply) => {
      const { id } = request.params;
      // Throws before the first byte, while an error status can still be sent.
      await readImport(db, id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="import-${id}.csv"`)
        .send(Readable.from(writeReport(db, id, request.query.lng ?? DEFAULT_LANGUAGE)));
    },
  );

  app.get(
    '/:id/rejected-rows',
    {
      config: { access: 'editor' },
      schema: { hide: true, params: ImportParams, querystring: ImportReportQuery },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { lng = DEFAULT_LANGUAGE } = request.query;
      const { type, extension, content } = await rejectedRows(db, id, lng);
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="rejected-${id}.${extension}"`)
        .send(Readable.from(content));
    },
  );

  app.get(
    '/:id/near-duplicates',
    {
      config: { access: 'editor', docs: nearDuplicateDocs.listNearDuplicates },
      schema: {
        tags: ['admin'],
        summary: 'Near-duplicates among the questions of an import',
        params: ImportParams,
        querystring: NearDuplicatesQuery,
        response: withErrors({ 200: NearDuplicatesResponse }),
      },
    },
    async (request) => {
      const { page = 1, answer = null } = request.query;
      return { ...(await listNearDuplicates(db, request.params.id, { page, answer })), page };
    },
  );

  app.get(
    '/:id/near-duplicates/same-answered',
    {
      config: { access: 'editor', docs: nearDuplicateDocs.listSameAnswered },
      schema: {
        tags: ['admin'],
        summary: 'Near-duplicates with the same answer, to be retired together',
        params: ImportParams,
        querystring: SameAnsweredQuery,
        response: withErrors({ 200: SameAnsweredResponse }),
      },
    },
    async (request) => ({
      ids: await listSameAnswered(db, request.params.id, request.query.which),
    }),
  );

  app.post(
    '/:id/near-duplicates/cancel',
    {
      config: { access: 'editor', docs: nearDuplicateDocs.cancelNearDuplicates },
      schema: {
        tags: ['admin'],
        summary: 'Cancel the search for near-duplicates of an import',
        params: ImportParams,
        body: EmptyBody,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => {
      const { id } = request.params;
      await cancelNearDuplicates(db, id, identityOf(request));
      return toImportBody(await readImport(db, id));
    },
  );

  app.post(
    '/:id/near-duplicates/:question/dismiss',
    {
      config: { access: 'editor', docs: nearDuplicateDocs.dismissNearDuplicate },
      schema: {
        tags: ['admin'],
        summary: 'Dismiss a near-duplicate: the two questions are different',
        params: NearDuplicateParams,
        body: DismissNearDuplicateRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { id, question } = request.params;
      await dismissNearDuplicate(db, {
        importId: id,
        question,
        dismissed: request.body.dismissed,
        actor: identityOf(request),
      });
      return { ok: true as const };
    },
  );
};

/** An import as the API returns it. */
export function toImportBody(summary: ImportSummary): Import {
  return {
    ...summary,
    created_at: summary.created_at.toISOString(),
    received_at: summary.received_at?.toISOString() ?? null,
    ended_at: summary.ended_at?.toISOString() ?? null,
    read_at: summary.read_at?.toISOString() ?? null,
    resumable_until: summary.resumable_until?.toISOString() ?? null,
  };
}
