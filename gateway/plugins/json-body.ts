import fp from 'fastify-plugin';
import { isStorable } from '@proveklar/services/database/is-storable.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';

/**
 * Reads JSON bodies, and no others. An empty one counts as none: browsers send the content type all
 * the same. Text that the database could not store is refused here, for every route.
 */
export const jsonBodyPlugin = fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['application/json', 'text/plain']);
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body.length === 0) done(null, null);
      else void parse(request, body.toString(), done);
    });

    app.addHook('preValidation', async ({ body, routeOptions }) => {
      if (routeOptions.config.rawBody || isStorable(body)) return;
      throw new AppError('validation_failed', {
        message: 'The body has a character without meaning, or is nested too deeply',
      });
    });
  },
  { name: 'json-body' },
);
