import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { BrowserErrorReport } from '@proveklar/contract/operations.ts';
import { browserErrors } from '@proveklar/services/counters/counters.ts';
import { countCspViolations } from '@proveklar/services/counters/csp-violations.ts';
import * as docs from '#openapi/examples/service.ts';

/** A report has a few hundred bytes; a browser may send several at once. */
const MAX_BYTES = 16 * 1024;
const TYPES = ['application/csp-report', 'application/reports+json'];

/** Receives browsers' reports of Content-Security-Policy violations. */
export const cspReportsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'buffer', bodyLimit: MAX_BYTES },
    (_request, body, done) => done(null, body),
  );
  const mayLog = logLimit();

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
      for (const violation of violations) {
        if (!mayLog()) break;
        request.log.warn(violation, 'content security policy violation');
      }
      return { ok: true as const };
    },
  );
};

/** Receives errors of our own pages. */
export const browserErrorsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const mayLog = logLimit();

  app.post(
    '/browser-errors',
    {
      config: { access: 'public', docs: docs.reportBrowserError },
      schema: {
        tags: ['health'],
        summary: 'Receive an error of a page',
        body: BrowserErrorReport,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      browserErrors.inc({ kind: request.body.kind });
      if (mayLog()) request.log.warn({ browser: request.body }, 'error in a browser');
      return { ok: true as const };
    },
  );
};

/** Log lines per minute: anyone can send reports. The counters count all of them. */
const MAX_LOG_LINES = 10;
const MINUTE_MS = 60_000;

/** @returns whether one more line may be logged in this minute */
function logLimit(): () => boolean {
  let lines = { count: 0, until: 0 };
  return () => {
    if (lines.until < Date.now()) lines = { count: 0, until: Date.now() + MINUTE_MS };
    return ++lines.count <= MAX_LOG_LINES;
  };
}
