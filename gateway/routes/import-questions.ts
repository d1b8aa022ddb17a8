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

/** How long the answer waits for the import when the sender does not say. */
const WAIT_S = 20;
const LONGEST_WAIT_S = 120;
const FILE_TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' };

/** As the API document shows it. */
const BODY = {
  'application/json': { schema: Type.Array(QuestionRow) },
  'text/csv': {
    schema: Type.String({
      description:
        'RFC 4180 with a header; UTF-8; comma, semicolon or tab. Tags are parted by `|`.',
    }),
    examples: {
      template: { summary: 'One question', value: importTemplate('csv').replace('\uFEFF', '') },
    },
  },
};

/** Files of questions: the upload that begins an import, and templates to begin with. */
export const importQuestionsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The file is handed on as it arrives; nothing here ever has all of it.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(['application/json', 'text/csv'], (_request, payload, done) =>
    done(null, payload),
  );

  app.post(
    '/import/questions',
    {
      config: {
        access: 'admin',
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
      const body = bodyOf(request, app.lastCall);
      if (isNew) await receiveFile(db, { id, importedBy }, body);
      else for await (const _part of body) continue;

      const seconds = secondsToWait(request.headers.prefer);
      const found = await waitForImport(db, id, seconds, app.draining);
      if (found.state === 'refused') {
        throw new AppError('import_refused', { details: { import_id: id, ...found.refusal } });
      }
      if (found.state === 'failed') throw new AppError('import_failed');
      const isDone = found.state !== 'receiving' && found.state !== 'processing';
      if (!isDone) reply.header('location', `/api/v1/admin/imports/${id}`);
      return reply.status(isDone ? 200 : 202).send({
        message: messageOf(found),
        count: found.imported,
        import_id: id,
        import: toImportBody(found),
      });
    },
  );

  // Files to begin with. There is nothing in them that not everybody may know.
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
 * The body as it arrives; nothing was sent at all where there is none.
 *
 * @param lastCall ends it: the answer then says to send it again
 */
async function* bodyOf({ body }: FastifyRequest, lastCall: AbortSignal): AsyncGenerator<Buffer> {
  if (!body) return;
  const parts = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let cutOff = () => {};
  const stop = () => cutOff();
  lastCall.addEventListener('abort', stop);
  try {
    for (;;) {
      if (lastCall.aborted) throw new AppError('unavailable');
      // A race against one promise that lasts would keep every part until that one is settled.
      const { done, value } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        cutOff = () => reject(new AppError('unavailable'));
        parts.next().then(resolve, reject);
      });
      if (done) return;
      yield value;
    }
  } finally {
    lastCall.removeEventListener('abort', stop);
  }
}

/** RFC 7240: `Prefer: respond-async, wait=10`. */
function secondsToWait(prefer = ''): number {
  const [, seconds] = /\bwait=(\d{1,6})\b/.exec(prefer) ?? [];
  if (seconds !== undefined) return Math.min(Number(seconds), LONGEST_WAIT_S);
  return /\brespond-async\b/.test(prefer) ? 0 : WAIT_S;
}

function messageOf({ state, imported }: ImportSummary): string {
  if (state === 'completed') return `Imported ${imported} questions`;
  if (state === 'checked') return `${imported} questions would be imported`;
  if (state === 'receiving' || state === 'processing') return 'The import goes on';
  return 'Nothing was imported';
}
