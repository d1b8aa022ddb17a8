import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { browserErrors } from '@proveklar/services/counters/counters.ts';
import { cspViolations } from '@proveklar/services/counters/csp-violations.ts';
import { errorsPlugin } from '#plugins/errors.ts';
import { browserErrorsRoutes, cspReportsRoutes } from './browser-reports.ts';

const OLD = 'application/csp-report';
const NEW = 'application/reports+json';

/** The route alone, with its log. */
async function build() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const app = Fastify({ logger: { level: 'warn', stream } });
  await app.register(errorsPlugin);
  await app.register(cspReportsRoutes);
  const send = async (payload: unknown, type = OLD) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const headers = { 'content-type': type };
    const answer = await app.inject({
      method: 'POST',
      url: '/csp-reports',
      headers,
      payload: text,
    });
    return { status: answer.statusCode, body: answer.json<{ code?: string }>() };
  };
  return { send, lines };
}

async function countOf(directive: string): Promise<number> {
  const { values } = await cspViolations.get();
  return values.find(({ labels }) => labels.directive === directive)?.value ?? 0;
}

const old = (report: object) => ({ 'csp-report': report });
const named = (body: object, type = 'csp-violation') => ({
  type,
  url: 'https://a.no/quiz/1',
  body,
});

test('a CSP violation is counted and logged without personal data', async () => {
  const { send, lines } = await build();
  const before = await countOf('img-src');
  const report = {
    'document-uri': 'https://example.no/quiz/6f0d3f2e?email=kari@example.no',
    referrer: 'https://example.no/login',
    'effective-directive': 'img-src',
    'blocked-uri': 'https://elsewhere.example/pixel/kari@example.no?x=1',
    'script-sample': 'secret',
  };
  expect(await send(old(report))).toEqual({ status: 200, body: { ok: true } });
  expect(await countOf('img-src')).toBe(before + 1);
  expect(lines).toMatchObject([{ directive: 'img-src', blocked: 'https://elsewhere.example' }]);
  expect(JSON.stringify(lines)).not.toMatch(/kari|6f0d3f2e|secret|login/);
});

test.each<[string, string, unknown, object]>([
  [
    'of report-uri',
    OLD,
    old({ 'violated-directive': "script-src 'self'" }),
    { directive: 'script-src' },
  ],
  ['of an inline style', OLD, old({ 'blocked-uri': 'inline' }), { blocked: 'inline' }],
  [
    'of a browser extension',
    OLD,
    old({ 'blocked-uri': 'chrome-extension://abcdef/x.js' }),
    { blocked: 'chrome-extension:' },
  ],
  [
    'with an invalid blocked-uri',
    OLD,
    old({ 'blocked-uri': 'Kari Nordmann' }),
    { blocked: 'other' },
  ],
  [
    'of an unknown directive',
    OLD,
    old({ 'effective-directive': 'kari-src' }),
    { directive: 'other' },
  ],
  [
    'among reports of other types',
    NEW,
    [named({}, 'deprecation'), named({ effectiveDirective: 'font-src', blockedURL: 'data' })],
    { directive: 'font-src', blocked: 'data' },
  ],
])('a CSP report is accepted: %s', async (_what, type, report, logged) => {
  const { send, lines } = await build();
  expect((await send(report, type)).status).toBe(200);
  expect(lines).toMatchObject([logged]);
});

test.each<[string, unknown, string, number]>([
  ['invalid JSON', '{', OLD, 400],
  ['null', null, OLD, 400],
  ['an empty report', {}, OLD, 400],
  ['a report with a numeric directive', old({ 'effective-directive': 1 }), OLD, 400],
  ['an array of something else', [1], NEW, 400],
  ['too many reports', Array(101).fill(named({})), NEW, 400],
  ['more than 16 KiB', old({ 'blocked-uri': 'x'.repeat(17_000) }), OLD, 413],
  ['another content type', old({}), 'application/json', 415],
])('a CSP report is refused: %s', async (_what, report, type, status) => {
  const { send, lines } = await build();
  expect((await send(report, type)).status).toBe(status);
  expect(lines).toEqual([]);
});

test('a flood of CSP reports is counted, and ten lines a minute are logged', async () => {
  const { send, lines } = await build();
  const before = await countOf('frame-src');
  for (let n = 0; n < 5; n++) {
    await send(Array(4).fill(named({ effectiveDirective: 'frame-src' })), NEW);
  }
  expect(await countOf('frame-src')).toBe(before + 20);
  expect(lines).toHaveLength(10);
});

test('an error of a page is counted and logged, ten lines a minute', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const app = Fastify({ logger: { level: 'warn', stream } });
  await app.register(errorsPlugin);
  await app.register(browserErrorsRoutes);
  const payload = {
    kind: 'rejection',
    name: 'TypeError',
    message: 'x is undefined',
    at: '/assets/quiz-1.js:2:30',
    page: '/quiz/:id',
  };
  const countOfErrors = async () =>
    (await browserErrors.get()).values.find(({ labels }) => labels.kind === 'rejection')?.value ??
    0;
  const before = await countOfErrors();
  for (let n = 0; n < 12; n++) {
    const answer = await app.inject({ method: 'POST', url: '/browser-errors', payload });
    expect(answer.statusCode).toBe(200);
  }
  expect(await countOfErrors()).toBe(before + 12);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatchObject({ browser: payload, msg: 'error in a browser' });
});
