import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  IMPORT_STEPS,
  stepImport,
  type ImportStep,
} from '@proveklar/services/imports/end-import.ts';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import * as docs from '#openapi/examples/imports.ts';
import { Import, ImportParams } from '@proveklar/contract/imports.ts';
import { NoBody, withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { toImportBody } from './import-body.ts';

const ROUTES: Record<ImportStep, { summary: string; docs: typeof docs.cancelImport }> = {
  cancel: { summary: 'Stop an import; nothing of it stays', docs: docs.cancelImport },
  confirm: { summary: 'Make a dry run an import', docs: docs.confirmImport },
  discard: { summary: 'Throw a dry run away', docs: docs.discardImport },
  undo: { summary: 'Take back what an import brought', docs: docs.undoImport },
};

export const stepImportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const step of IMPORT_STEPS) {
    app.post(
      `/:id/${step}`,
      {
        config: { access: 'admin', docs: ROUTES[step].docs },
        schema: {
          tags: ['admin'],
          summary: ROUTES[step].summary,
          params: ImportParams,
          body: NoBody,
          response: withErrors({ 200: Import }),
        },
      },
      async (request) => {
        const { db } = app.deps;
        const { id } = request.params;
        await stepImport(db, id, step, identityOf(request));
        return toImportBody(await readImport(db, id));
      },
    );
  }
};
