import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  Import,
  ImportAnswer,
  ImportFileParams,
  ImportHeaders,
  ImportPreview,
  ImportPreviewQuery,
  ImportQuery,
  BeginUploadHeaders,
  BeginUploadRequest,
  ImportParams,
  UploadPartHeaders,
} from '@proveklar/contract/imports.ts';
import { QuestionRow } from '@proveklar/contract/question-row.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { RefusedFile } from '@proveklar/services/imports/file-rows.ts';
import { MAX_XLSX_BYTES } from '@proveklar/services/imports/open-xlsx.ts';
import { previewFile } from '@proveklar/services/imports/preview-file.ts';
import {
  type ImportSummary,
  waitForImport,
  readImport,
} from '@proveklar/services/imports/read-imports.ts';
import {
  beginImport,
  importTemplate,
  receiveFile,
  receivePart,
} from '@proveklar/services/imports/receive-import.ts';
import { MAX_FILE_BYTES } from '@proveklar/contract/limits.ts';
import { toImportBody } from './admin/imports.ts';
import * as docs from '#openapi/examples/imports.ts';
import { identityOf } from '#plugins/access.ts';
import * as uploadDocs from '#openapi/examples/import-uploads.ts';

/** How long the response waits for the import by default. */
const DEFAULT_WAIT_S = 20;
const MAX_WAIT_S = 120;
const FILE_TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' };

/** Each file that is previewed is in memory, with up to 50 MB; a gateway has one gigabyte. */
const MAX_PREVIEWS = 6;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function formatOf(contentType = ''): Import['format'] {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === XLSX) return 'xlsx';
  return type.trim() === 'text/csv' ? 'csv' : 'json';
}

/** The body, for the API document. */
const BODY = {
  'application/json': { schema: Type.Array(QuestionRow) },
  'text/csv': {
    schema: Type.String({
      description:
        'RFC 4180 with a header; UTF-8 or windows-1252; comma, semicolon or tab. Norwegian headings are recognised, and dates such as 15.01.2026. Tags are separated by `|`.',
    }),
    examples: {
      template: { summary: 'One question', value: importTemplate('csv').replace('\uFEFF', '') },
    },
  },
  [XLSX]: {
    schema: Type.String({
      format: 'binary',
      description:
        'An Excel workbook of at most 50 MB, and 500 MB unpacked, with the columns of the CSV format. Formulas have their stored value.',
    }),
    examples: { workbook: { summary: 'The bytes of a workbook', value: 'PK…' } },
  },
};

/** Upload of question files, which starts an import, and file templates. */
export const importQuestionsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The file is streamed; it is never in memory as a whole.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(['application/json', 'text/csv', XLSX], (_request, payload, done) =>
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
        summary: 'Import a file of questions, of up to 2 GB',
        querystring: ImportQuery,
        headers: ImportHeaders,
        response: withErrors({ 200: ImportAnswer, 202: ImportAnswer }),
      },
    },
    async (request, reply) => {
      const { db } = app.deps;
      const { 'content-encoding': encoding = 'identity' } = request.headers;
      // A file that is packed with gzip is recognised by its first bytes.
      if (encoding !== 'identity' && encoding !== 'gzip')
        throw new AppError('unsupported_media_type');
      const { dry_run = false, on_duplicate = 'skip', file_name = null } = request.query;
      const { columns, sheet = null } = request.query;
      const id = request.headers['idempotency-key'] ?? crypto.randomUUID();
      const importedBy = identityOf(request);
      const isNew = await beginImport(db, {
        id,
        importedBy,
        format: formatOf(request.headers['content-type']),
        dryRun: dry_run,
        onDuplicate: on_duplicate,
        fileName: file_name,
        sheet,
        columns: fieldsOf(columns),
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

  let previews = 0;
  // A workbook and its texts take up to 250 MB of the gateway's heap: the next preview waits for the one before.
  let lastPreview: Promise<unknown> = Promise.resolve();
  function afterLastPreview<T>(work: () => Promise<T>): Promise<T> {
    const preview = lastPreview.then(work);
    lastPreview = preview.catch(() => {});
    return preview;
  }

  app.post(
    '/import/preview',
    {
      config: { access: 'editor', rawBody: BODY, streamedBody: true, docs: docs.previewImport },
      schema: {
        tags: ['admin'],
        summary: 'Show how a file of questions would be read',
        querystring: ImportPreviewQuery,
        response: withErrors({ 200: ImportPreview }),
      },
    },
    async (request) => {
      const { columns, sheet = null } = request.query;
      if (Number(request.headers['content-length']) > MAX_XLSX_BYTES) {
        throw new AppError('payload_too_large');
      }
      if (previews >= MAX_PREVIEWS) throw new AppError('unavailable');
      previews += 1;
      try {
        // Before the wait: a body that is not read is cut off as too slow.
        const content = await collect(bodyOf(request, app.uploadDeadline));
        const format = formatOf(request.headers['content-type']);
        return await afterLastPreview(() =>
          previewFile(content, { format, chosen: fieldsOf(columns), sheet }),
        );
      } catch (error) {
        if (!(error instanceof RefusedFile)) throw error;
        throw new AppError('import_refused', { details: { ...error.refusal } });
      } finally {
        previews -= 1;
      }
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

const fieldsOf = (columns: string | undefined) =>
  columns?.split(',').map((name) => name.trim()) ?? null;

/**
 * The whole body: a workbook, or the beginning of another file.
 *
 * @throws AppError `payload_too_large`
 */
async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_XLSX_BYTES) throw new AppError('payload_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

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
  if (state === 'receiving' || state === 'processing') return 'The import is still running';
  return 'Nothing was imported';
}

const BYTES = 'application/octet-stream';

/** Imports whose file is sent in parts, so that an interrupted upload goes on where it stopped. */
export const importUploadsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  // A part is streamed; it is never in memory as a whole.
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload));

  app.post(
    '/',
    {
      config: { access: 'editor', docs: uploadDocs.beginUpload },
      schema: {
        tags: ['admin'],
        summary: 'Begin an import whose file is sent in parts',
        headers: BeginUploadHeaders,
        body: BeginUploadRequest,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => {
      const { format, bytes, file_name, dry_run, on_duplicate, columns, sheet } = request.body;
      const id = request.headers['idempotency-key'] ?? crypto.randomUUID();
      await beginImport(db, {
        id,
        importedBy: identityOf(request),
        format,
        dryRun: dry_run ?? false,
        onDuplicate: on_duplicate ?? 'skip',
        fileName: file_name,
        sheet: sheet ?? null,
        columns: fieldsOf(columns),
        bytesTotal: bytes,
        resumable: true,
      });
      return toImportBody(await readImport(db, id));
    },
  );

  app.patch(
    '/:id/file',
    {
      config: {
        access: 'editor',
        rawBody: { [BYTES]: { schema: Type.String({ format: 'binary' }) } },
        streamedBody: true,
        docs: uploadDocs.sendPart,
      },
      schema: {
        tags: ['admin'],
        summary: 'Send a file of an import, or the rest of it',
        params: ImportParams,
        headers: UploadPartHeaders,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => {
      const { id } = request.params;
      // A body of the other route's type has been parsed.
      if (request.body && request.headers['content-type'] !== BYTES) {
        throw new AppError('unsupported_media_type');
      }
      if (Number(request.headers['content-length']) > MAX_FILE_BYTES) {
        throw new AppError('payload_too_large');
      }
      const { 'upload-offset': offset, 'upload-checksum': checksum = null } = request.headers;
      const part = { importId: id, importedBy: identityOf(request), offset, checksum };
      await receivePart(db, part, bodyOf(request, app.uploadDeadline));
      return toImportBody(await readImport(db, id));
    },
  );
};
