import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  BeginUploadHeaders,
  BeginUploadRequest,
  Import,
  ImportParams,
  UploadPartHeaders,
} from '@proveklar/contract/imports.ts';
import { MAX_FILE_BYTES } from '@proveklar/contract/limits.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import { beginImport, receivePart } from '@proveklar/services/imports/receive-import.ts';
import * as docs from '#openapi/examples/import-uploads.ts';
import { identityOf } from '#plugins/access.ts';
import { bodyOf, fieldsOf } from '../import-questions.ts';
import { toImportBody } from './imports.ts';

const BYTES = 'application/octet-stream';

/** Imports whose file is sent in parts, so that an interrupted upload goes on where it stopped. */
export const importUploadsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  // A part is streamed; it is never in memory as a whole.
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload));

  app.post(
    '/',
    {
      config: { access: 'editor', docs: docs.beginUpload },
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
        docs: docs.sendPart,
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
