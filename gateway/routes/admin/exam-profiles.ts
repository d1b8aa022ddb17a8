import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  changeExamProfile,
  listExamProfiles,
  type ExamProfile as Profile,
} from '@proveklar/services/settings/exam-profiles.ts';
import * as docs from '#openapi/examples/settings.ts';
import {
  ExamProfile,
  ExamProfileParams,
  ExamProfileRequest,
  ExamProfilesResponse,
} from '@proveklar/contract/settings.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const examProfilesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/exam-profiles',
    {
      config: { access: 'admin', docs: docs.listExamProfiles },
      schema: {
        tags: ['admin'],
        summary: 'How the practice tests are put together',
        response: withErrors({ 200: ExamProfilesResponse }),
      },
    },
    async () => ({ exam_profiles: (await listExamProfiles(db)).map(toBody) }),
  );

  app.put(
    '/exam-profiles/:name',
    {
      config: { access: 'admin', docs: docs.changeExamProfile },
      schema: {
        tags: ['admin'],
        summary: 'Change how the practice tests that begin from now on are put together',
        params: ExamProfileParams,
        body: ExamProfileRequest,
        response: withErrors({ 200: ExamProfile }),
      },
    },
    async (request) => {
      const actor = identityOf(request);
      return toBody(await changeExamProfile(db, actor, request.params.name, request.body));
    },
  );
};

function toBody(profile: Profile) {
  return { ...profile, updated_at: profile.updated_at?.toISOString() ?? null };
}
