import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { countCspViolations } from '@proveklar/services/counters/csp-violations.ts';
import * as docs from '#openapi/examples/service.ts';

/** A report has some hundred bytes; a browser sends several at once at most. */
const MOST_BYTES = 16 * 1024;
/** Lines of the log within a minute: anyone can send reports. The counter has them all. */
const MOST_LINES = 10;
const MINUTE_MS = 60_000;

const TYPES = ['application/csp-report', 'application/reports+json'];

/** Reports of browsers about what the content security policy made them refuse. */
export const cspReportsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'buffer', bodyLimit: MOST_BYTES },
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
        summary: 'Where browsers say what the content security policy made them refuse',
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const violations = countCspViolations(body);
      if (lines.until < Date.now()) lines = { count: 0, until: Date.now() + MINUTE_MS };
      for (const violation of violations) {
        if (++lines.count > MOST_LINES) break;
        request.log.warn(violation, 'a browser refused what the content security policy forbids');
      }
      return { ok: true as const };
    },
  );
};
