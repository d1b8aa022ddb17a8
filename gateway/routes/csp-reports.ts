import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { countCspViolations } from '@proveklar/services/counters/csp-violations.ts';
import * as docs from '#openapi/examples/service.ts';

/** A report has a few hundred bytes; a browser may send several at once. */
const MAX_BYTES = 16 * 1024;
/** Log lines per minute: anyone can send reports. The counter counts all of them. */
const MAX_LOG_LINES = 10;
const MINUTE_MS = 60_000;

const TYPES = ['application/csp-report', 'application/reports+json'];

/** Receives browsers' reports of Content-Security-Policy violations. */
export const cspReportsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'buffer', bodyLimit: MAX_BYTES },
    (_request, body, done) => done(null, body),
  );
  let lines = { count: 0, until: 0 };

  app.post(
    '/csp-reports',
    {
      config: {
        access: 'public',
        rawBody: Object.fromEntries(
          TYPES.map((type) => [type, { schema: Type.Object({}, { additionalProperties: true }) }]),
        ),
        docs: docs.reportCspViolations,
      },
      schema: {
        tags: ['health'],
        summary: 'Receive Content-Security-Policy violation reports',
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const violations = countCspViolations(body);
      if (lines.until < Date.now()) lines = { count: 0, until: Date.now() + MINUTE_MS };
      for (const violation of violations) {
        if (++lines.count > MAX_LOG_LINES) break;
        request.log.warn(violation, 'content security policy violation');
      }
      return { ok: true as const };
    },
  );
};
