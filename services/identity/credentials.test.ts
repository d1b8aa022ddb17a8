import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readAuthorizedDomains } from './credentials.ts';

const PAGE = 'https://proveklar.example.no';

/** What a provider answers that refuses a key for `reason`, unless the page may use it. */
async function answerWhere(status: number, reason: string, page?: string) {
  const server = createServer((request, response) => {
    const allowed = request.headers.referer === PAGE;
    const refusal = { error: { code: status, details: [{ reason, domain: 'googleapis.com' }] } };
    response
      .writeHead(allowed ? 200 : status, { 'content-type': 'application/json' })
      .end(JSON.stringify(allowed ? { authorizedDomains: ['a.example.no'] } : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const emulatorHost = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return readAuthorizedDomains({ projectId: 'demo-x', apiKey: 'key', page, emulatorHost });
}

test.each([
  [400, 'API_KEY_INVALID', 'invalid'],
  [403, 'API_KEY_HTTP_REFERRER_BLOCKED', 'page'],
  [403, 'API_KEY_IP_ADDRESS_BLOCKED', 'host'],
  [403, 'API_KEY_SERVICE_BLOCKED', 'api'],
  [403, 'SERVICE_DISABLED', 'other'],
] as const)('a key that is refused with %i %s is told apart', async (status, reason, expected) => {
  expect(await answerWhere(status, reason)).toBe(expected);
});

test('a key that is restricted to the site works when the page is named', async () => {
  const reason = 'API_KEY_HTTP_REFERRER_BLOCKED';
  expect(await answerWhere(403, reason, PAGE)).toEqual(['a.example.no']);
  expect(await answerWhere(500, reason).catch(String)).toContain('500');
});
