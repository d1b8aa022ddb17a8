import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { withErrors, EmptyBody, Ok } from '@proveklar/contract/common.ts';
import {
  ApplyBankGlossaryResponse,
  GlossaryResponse,
  ChangeGlossaryRequest,
  GlossaryContent,
  GlossaryEntry,
  GlossaryImportRequest,
  GlossaryImportResponse,
  GlossaryListResponse,
  GlossaryParams,
  GlossaryQuery,
  UndoGlossaryResponse,
} from '@proveklar/contract/glossary.ts';
import {
  readGlossary,
  changeEntry,
  createEntry,
  deleteEntry,
  type GlossaryEntry as GlossaryRecord,
  listGlossary,
} from '@proveklar/services/glossary/glossary.ts';
import {
  applyBankGlossary,
  exportGlossary,
  importGlossary,
  undoGlossary,
} from '@proveklar/services/glossary/glossary-file.ts';
import * as docs from '#openapi/examples/glossary.ts';
import { cached } from '#pages/cached.ts';
import { encodeAll, sendEncoded } from '#pages/encodings.ts';
import { identityOf } from '#plugins/access.ts';

/** The route is public: the database is read once in this time, whatever the number of calls. */
const CACHE_MS = 5_000;
/** A tenth larger than the best, and quick enough to be made every few seconds. */
const BROTLI_QUALITY = 5;

/** The hard words of questions, for learners and visitors of the free sample. */
export const glossaryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const glossary = cached(CACHE_MS, async () => {
    const entries = await readGlossary(app.deps.db);
    const body: GlossaryResponse = {
      entries: entries.map(({ word, forms, norwegian, english }) => ({
        word,
        forms,
        norwegian,
        english,
      })),
    };
    return encodeAll(JSON.stringify(body), BROTLI_QUALITY);
  });

  app.get(
    '/glossary',
    {
      config: { access: 'public', docs: docs.readGlossary },
      schema: {
        tags: ['quiz'],
        summary: 'Hard words of questions, explained',
        response: withErrors({ 200: GlossaryResponse, 304: Type.Null() }),
      },
    },
    async (_request, reply) => {
      reply.headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300' });
      return sendEncoded(reply, await glossary(), 'application/json; charset=utf-8');
    },
  );
};

/** The glossary, for administrators. */
export const adminGlossaryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'editor', docs: docs.listGlossary },
      schema: {
        tags: ['admin'],
        summary: 'The entries of the glossary',
        querystring: GlossaryQuery,
        response: withErrors({ 200: GlossaryListResponse }),
      },
    },
    async (request) => {
      const { search = '', page = 1 } = request.query;
      const { entries, ...counts } = await listGlossary(db, { search, page });
      return { entries: entries.map(toEntryBody), ...counts };
    },
  );

  app.post(
    '/',
    {
      config: { access: 'editor', docs: docs.createGlossaryEntry },
      schema: {
        tags: ['admin'],
        summary: 'Add an entry',
        body: GlossaryContent,
        response: withErrors({ 200: GlossaryEntry }),
      },
    },
    async (request) => toEntryBody(await createEntry(db, identityOf(request), request.body)),
  );

  app.put(
    '/:id',
    {
      config: { access: 'editor', docs: docs.changeGlossaryEntry },
      schema: {
        tags: ['admin'],
        summary: 'Change an entry',
        params: GlossaryParams,
        body: ChangeGlossaryRequest,
        response: withErrors({ 200: GlossaryEntry }),
      },
    },
    async (request) => {
      const { params, body } = request;
      return toEntryBody(await changeEntry(db, identityOf(request), { ...params, ...body }));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: 'editor', docs: docs.deleteGlossaryEntry },
      schema: {
        tags: ['admin'],
        summary: 'Delete an entry',
        params: GlossaryParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await deleteEntry(db, identityOf(request), request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    '/import',
    {
      config: { access: 'editor', docs: docs.importGlossary },
      schema: {
        tags: ['admin'],
        summary: 'Add and change entries from a CSV file',
        body: GlossaryImportRequest,
        response: withErrors({ 200: GlossaryImportResponse }),
      },
    },
    (request) => importGlossary(db, identityOf(request), request.body.csv),
  );

  app.post(
    '/bank',
    {
      config: { access: 'editor', docs: docs.bringGlossary },
      schema: {
        tags: ['admin'],
        summary: "Add the words of our bank's glossary",
        body: EmptyBody,
        response: withErrors({ 200: ApplyBankGlossaryResponse }),
      },
    },
    async (request) => {
      const csv = await readFile(join(config.BANK_DIR, 'glossary.csv'), 'utf8');
      return applyBankGlossary(db, identityOf(request), csv);
    },
  );

  app.delete(
    '/bank',
    {
      config: { access: 'editor', docs: docs.undoGlossary },
      schema: {
        tags: ['admin'],
        summary: "Delete the words of our bank's glossary that were not changed",
        body: EmptyBody,
        response: withErrors({ 200: UndoGlossaryResponse }),
      },
    },
    (request) => undoGlossary(db, identityOf(request)),
  );

  // A download, hence not in the API document.
  app.get(
    '/export',
    { config: { access: 'editor' }, schema: { hide: true } },
    async (request, reply) => {
      const csv = await exportGlossary(db, identityOf(request));
      const name = `proveklar-glossary-${new Date().toISOString().slice(0, 10)}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(csv);
    },
  );
};

function toEntryBody(entry: GlossaryRecord): GlossaryEntry {
  return { ...entry, updated_at: entry.updated_at.toISOString() };
}
