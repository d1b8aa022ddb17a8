import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { GlossaryResponse } from '@proveklar/contract/glossary.ts';
import { Type } from 'typebox';
import { readGlossary } from '@proveklar/services/glossary/glossary.ts';
import * as docs from '#openapi/examples/glossary.ts';
import { cached } from '#pages/cached.ts';
import { encodeAll, sendEncoded } from '#pages/encodings.ts';

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
