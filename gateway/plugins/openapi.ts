import swagger from '@fastify/swagger';
import fp from 'fastify-plugin';

/** Collects the routes' schemas into an OpenAPI 3.1 document. */
export const openApiPlugin = fp(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Prøveklar',
          description: 'Practise for the Norwegian civics exam.',
          version: '1',
        },
        components: {
          securitySchemes: {
            idToken: { type: 'http', scheme: 'bearer', description: 'A Firebase ID token.' },
          },
        },
      },
      transform: ({ schema, url, route }) => {
        const secured = route.config?.access !== 'public';
        return {
          url,
          schema: { ...schema, ...(secured && { security: [{ idToken: [] }] }) },
        };
      },
    });
  },
  { name: 'openapi' },
);
