import fp from 'fastify-plugin';
import { isStorable } from '@proveklar/services/database/is-storable.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';

const PART_NAMES = { params: 'path', querystring: 'query', body: 'body' };

/**
 * Reads JSON bodies, and no others. An empty one counts as none: browsers send the content type all
 * the same. Text that the database could not store is refused here, for every route, in its path and
 * its query too, as far as the route reads them.
 */
export const jsonBodyPlugin = fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['application/json', 'text/plain']);
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body.length === 0) done(null, null);
      else void parse(request, body.toString(), done);
    });

    app.addHook('preValidation', async ({ body, params, query, routeOptions }) => {
      const { config, schema } = routeOptions;
      const parts = {
        params,
        // One that is not declared is not read.
        ...(schema?.querystring !== undefined && { querystring: query }),
        ...(!config.rawBody && { body }),
      };
      const [part, fields] = Object.entries(parts).find(([, value]) => !isStorable(value)) ?? [];
      if (!part) return;
      const [field] = Object.entries(fields ?? {}).find(([, value]) => !isStorable(value)) ?? [];
      const name = PART_NAMES[part as keyof typeof PART_NAMES];
      throw new AppError('validation_failed', {
        message: `The ${name} has a character without meaning, or is nested too deeply`,
        details: { part, ...(field !== undefined && { field }) },
      });
    });
  },
  { name: 'json-body' },
);
