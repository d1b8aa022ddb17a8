import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  ImportAnswer,
  ImportFileParams,
  ImportHeaders,
  ImportQuery,
  QuestionRow,
} from '@proveklar/contract/imports.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { type ImportSummary, waitForImport } from '@proveklar/services/imports/read-imports.ts';
import {
  beginImport,
  importTemplate,
  receiveFile,
} from '@proveklar/services/imports/receive-import.ts';
import * as docs from '#openapi/examples/imports.ts';
import { identityOf } from '#plugins/access.ts';
import { toImportBody } from './admin/imports.ts';

/** How long the response waits for the import by default. */
const DEFAULT_WAIT_S = 20;
const MAX_WAIT_S = 120;
const FILE_TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' };

/** The body, for the API document. */
const BODY = {
  'application/json': { schema: Type.Array(QuestionRow) },
  'text/csv': {
    schema: Type.String({
      description:
        'RFC 4180 with a header; UTF-8; comma, semicolon or tab. Tags are separated by `|`.',
    }),
    examples: {
      template: { summary: 'One question', value: importTemplate('csv').replace('\uFEFF', '') },
    },
  },
};

/** Upload of question files, which starts an import, and file templates. */
export const importQuestionsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The file is streamed; it is never in memory as a whole.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(['application/json', 'text/csv'], (_request, payload, done) =>
    done(null, payload),
  );

  app.post(
    '/import/questions',
    {
      config: {
        access: 'editor',
        rawBody: BODY,
        streamedBody: true,
        docs: docs.importQuestions,
      },
      schema: {
        tags: ['admin'],
        summary: 'Import a file of questions, of any size',
        querystring: ImportQuery,
        headers: ImportHeaders,
        response: withErrors({ 200: ImportAnswer, 202: ImportAnswer }),
      },
    },
    async (request, reply) => {
      const { db } = app.deps;
      const { 'content-encoding': encoding = 'identity' } = request.headers;
      if (encoding !== 'identity') throw new AppError('unsupported_media_type');
      const { dry_run = false, on_duplicate = 'skip', file_name = null } = request.query;
      const id = request.headers['idempotency-key'] ?? crypto.randomUUID();
      const importedBy = identityOf(request);
      const isNew = await beginImport(db, {
        id,
        importedBy,
        format: /^text\/csv\b/i.test(request.headers['content-type'] ?? '') ? 'csv' : 'json',
        dryRun: dry_run,
        onDuplicate: on_duplicate,
        fileName: file_name,
        bytesTotal: Number(request.headers['content-length']) || null,
      });
      const body = bodyOf(request, app.uploadDeadline);
      if (isNew) await receiveFile(db, { id, importedBy }, body);
      else for await (const _chunk of body) continue;

      const seconds = secondsToWait(request.headers.prefer);
      const result = await waitForImport(db, id, seconds, app.draining);
      if (result.state === 'refused') {
        throw new AppError('import_refused', { details: { import_id: id, ...result.refusal } });
      }
      if (result.state === 'failed') throw new AppError('import_failed');
      const isDone = result.state !== 'receiving' && result.state !== 'processing';
      if (!isDone) reply.header('location', `/api/v1/admin/imports/${id}`);
      return reply.status(isDone ? 200 : 202).send({
        message: messageOf(result),
        count: result.imported,
        import_id: id,
        import: toImportBody(result),
      });
    },
  );

  // Public: the templates hold nothing secret.
  app.get(
    '/admin/import-templates/:format',
    {
      config: { access: 'public' },
      schema: { hide: true, params: ImportFileParams },
    },
    async (request, reply) => {
      const { format } = request.params;
      return reply
        .type(FILE_TYPES[format])
        .header('content-disposition', `attachment; filename="questions-template.${format}"`)
        .send(importTemplate(format));
    },
  );
};

/**
 * Streams the body; empty without one.
 *
 * @param uploadDeadline ends the stream with `unavailable`, which asks the client to send it again
 */
async function* bodyOf(
  { body }: FastifyRequest,
  uploadDeadline: AbortSignal,
): AsyncGenerator<Buffer> {
  if (!body) return;
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let rejectRead = () => {};
  const stop = () => rejectRead();
  uploadDeadline.addEventListener('abort', stop);
  try {
    for (;;) {
      if (uploadDeadline.aborted) throw new AppError('unavailable');
      // Not Promise.race with one long-lived promise: that would keep every chunk until it settles.
      const { done, value } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        rejectRead = () => reject(new AppError('unavailable'));
        chunks.next().then(resolve, reject);
      });
      if (done) return;
      yield value;
    }
  } finally {
    uploadDeadline.removeEventListener('abort', stop);
  }
}

/** RFC 7240: `Prefer: respond-async, wait=10`. */
function secondsToWait(prefer = ''): number {
  const [, seconds] = /\bwait=(\d{1,6})\b/.exec(prefer) ?? [];
  if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_S);
  return /\brespond-async\b/.test(prefer) ? 0 : DEFAULT_WAIT_S;
}

function messageOf({ state, imported }: ImportSummary): string {
  if (state === 'completed') return `Imported ${imported} questions`;
  if (state === 'checked') return `${imported} questions would be imported`;
  if (state === 'receiving' || state === 'processing') return 'The import goes on';
  return 'Nothing was imported';
}
