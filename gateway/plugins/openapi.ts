import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ErrorBody } from '@proveklar/contract/common.ts';
import { completeOperation } from '#openapi/complete-operation.ts';
import type { ApiDocument } from '#openapi/document.ts';
import type { OperationDocs } from '#openapi/examples/operation.ts';
import { DESCRIPTION, LICENSE, TAGS, TITLE } from '#openapi/info.ts';
import { MALFORMED_REQUESTS } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the API document says about this route beyond its schemas, with examples. */
    docs?: OperationDocs;
  }
}

/** Collects the routes' schemas, errors and examples into an OpenAPI 3.1 document. */
export const openApiPlugin = fp(
  async (app) => {
    const documented = new Map<string, RouteOptions>();
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: TITLE,
          description: DESCRIPTION,
          version: '1',
          contact: { name: 'Prøveklar', url: app.deps.config.PUBLIC_URL },
          license: LICENSE,
        },
        servers: [{ url: '/', description: 'This server' }],
        tags: TAGS,
        components: {
          schemas: { Error: ErrorBody },
          responses: malformedRequestResponses(),
          securitySchemes: {
            idToken: { type: 'http', scheme: 'bearer', description: 'A Firebase ID token.' },
          },
        },
      },
      transform: ({ schema, url, route }) => {
        const { access, docs } = route.config ?? {};
        if (docs) documented.set(docs.operationId, route);
        return {
          // Fastify registers the first route of a prefix with and without a trailing slash.
          url: url.replace(/\/$/, ''),
          schema: {
            ...schema,
            ...(docs && { operationId: docs.operationId }),
            security: access === 'public' ? [] : [{ idToken: [] }],
          },
        };
      },
      transformObject: (documents) => {
        if (!('openapiObject' in documents)) return documents.swaggerObject;
        const document = documents.openapiObject as unknown as ApiDocument;
        for (const operation of Object.values(document.paths).flatMap(Object.values)) {
          const route = documented.get(operation.operationId ?? '');
          if (route?.config?.docs) completeOperation(operation, route, route.config.docs);
          for (const status of Object.keys(document.components.responses)) {
            operation.responses[status] ??= { $ref: `#/components/responses/${status}` };
          }
        }
        return documents.openapiObject;
      },
    });
  },
  { name: 'openapi' },
);

/** Responses to malformed requests, by status. */
function malformedRequestResponses() {
  return Object.fromEntries(
    Object.values(MALFORMED_REQUESTS).map(({ status, error }) => {
      const value: ErrorBody = { error, code: 'validation_failed' };
      const response = {
        description: `${STATUS_CODES[status] ?? status}: \`${value.code}\``,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { [value.code]: { value } },
          },
        },
      };
      return [String(status), response];
    }),
  );
}
