import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  ApplyBankReleaseRequest,
  BankReleaseParams,
  BankReleasePlan,
  BankReleasesResponse,
  BankReleaseWork,
} from '@proveklar/contract/bank-releases.ts';
import { EmptyBody, withErrors } from '@proveklar/contract/common.ts';
import {
  listReleases,
  readPlan,
  requestApply,
  requestUndo,
} from '@proveklar/services/bank-releases/release-work.ts';
import * as docs from '#openapi/examples/bank-releases.ts';
import { identityOf } from '#plugins/access.ts';

/** Releases of our question bank: what the one of this version would change, applying it, and its undo. */
export const bankReleasesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'editor', docs: docs.listBankReleases },
      schema: {
        tags: ['admin'],
        summary: 'The releases of the question bank that were applied',
        response: withErrors({ 200: BankReleasesResponse }),
      },
    },
    () => listReleases(db),
  );

  app.get(
    '/plan',
    {
      config: { access: 'editor', docs: docs.planBankRelease },
      schema: {
        tags: ['admin'],
        summary: 'What the release of this version would change',
        response: withErrors({ 200: BankReleasePlan }),
      },
    },
    () => readPlan(db, config.BANK_DIR),
  );

  app.post(
    '/',
    {
      config: { access: 'editor', docs: docs.applyBankRelease },
      schema: {
        tags: ['admin'],
        summary: 'Apply the release of this version',
        body: ApplyBankReleaseRequest,
        response: withErrors({ 202: BankReleaseWork }),
      },
    },
    async (request, reply) => {
      const { release: fingerprint } = request.body;
      const actor = identityOf(request);
      const work = await requestApply(db, { dir: config.BANK_DIR, fingerprint, actor });
      return reply.status(202).header('location', '/api/v1/admin/bank-releases').send(work);
    },
  );

  app.post(
    '/:id/undo',
    {
      config: { access: 'editor', docs: docs.undoBankRelease },
      schema: {
        tags: ['admin'],
        summary: 'Undo the last release',
        params: BankReleaseParams,
        body: EmptyBody,
        response: withErrors({ 202: BankReleaseWork }),
      },
    },
    async (request, reply) => {
      const { id: release } = request.params;
      const work = await requestUndo(db, { release, actor: identityOf(request) });
      return reply.status(202).header('location', '/api/v1/admin/bank-releases').send(work);
    },
  );
};
