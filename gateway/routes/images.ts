import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type TString, Type } from 'typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { ImageParams, type ImageType } from '@proveklar/contract/images.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { readStoredImage } from '@proveklar/services/images/images.ts';
import * as docs from '#openapi/examples/images.ts';
import { matchesEtag } from '#pages/encodings.ts';

/** For a browser that opens the address of an SVG: nothing in it runs, and nothing is fetched. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** The address has the hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const binary = (type: ImageType) => ({
  schema: Type.String({ contentMediaType: type }),
  examples: { binary: { summary: 'Not shown here', value: '' } },
});

/** Pictures of questions. */
export const imagesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:hash',
    {
      config: { access: 'public', docs: docs.readImage },
      schema: {
        tags: ['questions'],
        summary: 'A picture of a question',
        params: ImageParams,
        response: withErrors({
          200: {
            description: 'The picture.',
            content: {
              'image/svg+xml': { schema: Type.String() },
              'image/png': binary('image/png'),
              'image/jpeg': binary('image/jpeg'),
            },
          } as unknown as TString,
          304: Type.Null(),
        }),
      },
    },
    async (request, reply) => {
      const { hash } = request.params;
      const image = await readStoredImage(app.deps.db, hash);
      if (!image) throw new AppError('not_found');
      const etag = `"${hash}"`;
      reply.headers({ etag, 'cache-control': FOR_EVER, 'content-security-policy': POLICY });
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send(null);
      return reply.type(image.type).send(image.content as never);
    },
  );
};
