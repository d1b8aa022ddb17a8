import fp from 'fastify-plugin';

/** Reads JSON bodies. An empty one counts as none: browsers send the content type all the same. */
export const jsonBodyPlugin = fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body.length === 0) done(null, null);
      else void parse(request, body.toString(), done);
    });
  },
  { name: 'json-body' },
);
