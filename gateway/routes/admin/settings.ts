import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  ExamProfile,
  ExamProfileParams,
  ExamProfileRequest,
  ExamProfilesResponse,
  LanguageParams,
  LanguagesResponse,
  OfferLanguageRequest,
  SettingsRequest,
  SettingsResponse,
} from '@proveklar/contract/settings.ts';
import type { GatewayConfig } from '@proveklar/services/config/config.ts';
import {
  type BankLanguage,
  listLanguages,
  offerLanguage,
} from '@proveklar/services/languages/languages.ts';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import {
  changeExamProfile,
  type ExamProfile as ExamProfileRecord,
  listExamProfiles,
} from '@proveklar/services/settings/exam-profiles.ts';
import { readSettings, type Settings } from '@proveklar/services/settings/settings.ts';
import * as docs from '#openapi/examples/settings.ts';
import { identityOf } from '#plugins/access.ts';
import { supportEmail } from '#routes/config.ts';

/** Admin settings: price, seller and contact, practice tests, languages of the bank. */
export const settingsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { config, db } = app.deps;

  app.get(
    '/settings',
    {
      config: { access: 'owner', docs: docs.readSettings },
      schema: {
        tags: ['admin'],
        summary: 'Read the settings: price, days, seller and support address',
        response: withErrors({ 200: SettingsResponse }),
      },
    },
    async () => toSettingsBody(config, await readSettings(db)),
  );

  app.put(
    '/settings',
    {
      config: { access: 'owner', docs: docs.changeSettings },
      schema: {
        tags: ['admin'],
        summary: 'Change settings; fields that are left out stay unchanged',
        body: SettingsRequest,
        response: withErrors({ 200: SettingsResponse }),
      },
    },
    async (request) => {
      const actor = identityOf(request);
      return toSettingsBody(config, await changeSettings(db, actor, request.body));
    },
  );

  app.get(
    '/exam-profiles',
    {
      config: { access: 'owner', docs: docs.listExamProfiles },
      schema: {
        tags: ['admin'],
        summary: 'The profiles of the practice tests',
        response: withErrors({ 200: ExamProfilesResponse }),
      },
    },
    async () => ({ exam_profiles: (await listExamProfiles(db)).map(toProfileBody) }),
  );

  app.put(
    '/exam-profiles/:name',
    {
      config: { access: 'owner', docs: docs.changeExamProfile },
      schema: {
        tags: ['admin'],
        summary: 'Change the profile of a practice test, for tests started from now on',
        params: ExamProfileParams,
        body: ExamProfileRequest,
        response: withErrors({ 200: ExamProfile }),
      },
    },
    async (request) => {
      const actor = identityOf(request);
      return toProfileBody(await changeExamProfile(db, actor, request.params.name, request.body));
    },
  );

  app.get(
    '/languages',
    {
      config: { access: 'owner', docs: docs.listLanguages },
      schema: {
        tags: ['admin'],
        summary: 'The languages of the question bank',
        response: withErrors({ 200: LanguagesResponse }),
      },
    },
    async () => toLanguagesBody(await listLanguages(db)),
  );

  app.put(
    '/languages/:code',
    {
      config: { access: 'owner', docs: docs.offerLanguage },
      schema: {
        tags: ['admin'],
        summary: 'Offer a language to learners, or stop offering it',
        params: LanguageParams,
        body: OfferLanguageRequest,
        response: withErrors({ 200: LanguagesResponse }),
      },
    },
    async (request) =>
      toLanguagesBody(
        await offerLanguage(db, identityOf(request), { ...request.params, ...request.body }),
      ),
  );
};

function toSettingsBody(config: GatewayConfig, settings: Settings): SettingsResponse {
  const { price_ore, updated_at, ...rest } = settings;
  return {
    price: price_ore / 100,
    ...rest,
    support_email_in_use: supportEmail(config, settings),
    updated_at: updated_at?.toISOString() ?? null,
  };
}

function toProfileBody(profile: ExamProfileRecord) {
  return { ...profile, updated_at: profile.updated_at?.toISOString() ?? null };
}

function toLanguagesBody(languages: BankLanguage[]): LanguagesResponse {
  return {
    languages: languages.map((language) => ({
      ...language,
      updated_at: language.updated_at?.toISOString() ?? null,
    })),
  };
}
