import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import { dismissNearDuplicate } from '@proveklar/services/near-duplicates/dismiss-near-duplicate.ts';
import { listNearDuplicates } from '@proveklar/services/near-duplicates/list-near-duplicates.ts';
import { cancelNearDuplicates } from '@proveklar/services/near-duplicates/search.ts';
import * as docs from '#openapi/examples/imports.ts';
import {
  DismissNearDuplicateRequest,
  Import,
  ImportParams,
  NearDuplicateParams,
  NearDuplicatesQuery,
  NearDuplicatesResponse,
} from '@proveklar/contract/imports.ts';

import { NoBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { toImportBody } from './import-body.ts';

export const nearDuplicatesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/near-duplicates',
    {
      config: { access: 'admin', docs: docs.listNearDuplicates },
      schema: {
        tags: ['admin'],
        summary: 'Questions of an import that are much like others',
        params: ImportParams,
        querystring: NearDuplicatesQuery,
        response: withErrors({ 200: NearDuplicatesResponse }),
      },
    },
    async (request) => {
      const { page = 1 } = request.query;
      return { ...(await listNearDuplicates(app.deps.db, request.params.id, page)), page };
    },
  );

  app.post(
    '/:id/near-duplicates/cancel',
    {
      config: { access: 'admin', docs: docs.cancelNearDuplicates },
      schema: {
        tags: ['admin'],
        summary: 'Stop looking for near-duplicates of an import',
        params: ImportParams,
        body: NoBody,
        response: withErrors({ 200: Import }),
      },
    },
    async (request) => {
      const { db } = app.deps;
      const { id } = request.params;
      await cancelNearDuplicates(db, id, identityOf(request));
      return toImportBody(await readImport(db, id));
    },
  );

  app.post(
    '/:id/near-duplicates/:question/dismiss',
    {
      config: { access: 'admin', docs: docs.dismissNearDuplicate },
      schema: {
        tags: ['admin'],
        summary: 'Say that a question and the one like it are different',
        params: NearDuplicateParams,
        body: DismissNearDuplicateRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { id, question } = request.params;
      await dismissNearDuplicate(app.deps.db, {
        importId: id,
        question,
        dismissed: request.body.dismissed,
        actor: identityOf(request),
      });
      return { ok: true as const };
    },
  );
};
