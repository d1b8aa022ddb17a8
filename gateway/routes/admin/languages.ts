import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  listLanguages,
  offerLanguage,
  type BankLanguage,
} from '@proveklar/services/languages/languages.ts';
import * as docs from '#openapi/examples/settings.ts';
import {
  LanguageParams,
  LanguagesResponse,
  OfferLanguageRequest,
} from '@proveklar/contract/settings.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const languagesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/languages',
    {
      config: { access: 'admin', docs: docs.listLanguages },
      schema: {
        tags: ['admin'],
        summary: 'The languages of the question bank',
        response: withErrors({ 200: LanguagesResponse }),
      },
    },
    async () => toBody(await listLanguages(db)),
  );

  app.put(
    '/languages/:code',
    {
      config: { access: 'admin', docs: docs.offerLanguage },
      schema: {
        tags: ['admin'],
        summary: 'Offer a language to learners, or withdraw it',
        params: LanguageParams,
        body: OfferLanguageRequest,
        response: withErrors({ 200: LanguagesResponse }),
      },
    },
    async (request) =>
      toBody(await offerLanguage(db, identityOf(request), { ...request.params, ...request.body })),
  );
};

function toBody(languages: BankLanguage[]): LanguagesResponse {
  return {
    languages: languages.map((language) => ({
      ...language,
      updated_at: language.updated_at?.toISOString() ?? null,
    })),
  };
}
