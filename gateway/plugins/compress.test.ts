import { once } from 'node:events';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
let url: string;
let asAdmin: { authorization: string };

beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  await createQuestions(gateway.database.pool, { count: 20 });
  const { deps, identity } = gateway;
  const { idToken } = await identity.signInWithGoogle({ email: deps.config.ADMIN_EMAIL });
  asAdmin = { authorization: `Bearer ${idToken}` };
});

/** Sends a request and decodes nothing. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = get(`${url}/api/v1${path}`, { headers, method, agent: false });
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

describe('JSON of more than a kilobyte', () => {
  test('JSON of more than 1 KiB is compressed for a client that accepts gzip', async () => {
    const plain = await send('/questions', asAdmin);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.bytes.length).toBeGreaterThan(1_024);
    const packed = await send('/questions', { ...asAdmin, ...BROWSER });
    expect(packed.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'content-length': String(packed.bytes.length),
      vary: 'Accept-Encoding',
    });
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test.each(['identity', 'br', 'gzip;q=0', '', '*;q=0', 'gzip;q=nonsense, ;;,'])(
    'JSON is not compressed for Accept-Encoding: %s',
    async (encoding) => {
      const answer = await send('/questions', { ...asAdmin, 'accept-encoding': encoding });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers.vary).toBe('Accept-Encoding');
      expect(JSON.parse(String(answer.bytes))).toHaveProperty('questions');
    },
  );

  test('many concurrent JSON responses are compressed, or sent uncompressed above the limit', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, () => send('/questions', { ...asAdmin, ...BROWSER })),
    );
    const texts = all.map(({ headers, bytes }) =>
      String(headers['content-encoding'] ? gunzipSync(bytes) : bytes),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

test('small responses and live streams are not compressed', async () => {
  const small = await send('/topics', BROWSER);
  expect(small.status).toBe(200);
  expect(small.headers).not.toHaveProperty('content-encoding');
  expect(small.headers).not.toHaveProperty('vary');
  const request = get(`${url}/api/v1/events`, { headers: { ...asAdmin, ...BROWSER } });
  const [stream] = await once(request, 'response');
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
  expect(stream.headers).not.toHaveProperty('content-encoding');
  request.destroy();
});

describe('the API document', () => {
  const DECODE: Record<string, (bytes: Buffer) => Buffer> = {
    identity: (bytes) => bytes,
    gzip: (bytes) => gunzipSync(bytes),
    br: (bytes) => brotliDecompressSync(bytes),
  };

  test.each(Object.keys(DECODE))(
    'the API document is sent in %s, and 304 for its ETag',
    async (encoding) => {
      const headers = { 'accept-encoding': encoding };
      const first = await send('/openapi.json', headers);
      expect(first.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(first.bytes.length),
        'cache-control': 'public, max-age=300',
        vary: 'Accept-Encoding',
        etag: expect.stringMatching(/^"[\w-]{22}/),
      });
      expect(first.headers['content-encoding'] ?? 'identity').toBe(encoding);
      const document: unknown = JSON.parse(String(DECODE[encoding]!(first.bytes)));
      expect(document).toEqual(gateway.app.swagger());
      const again = await send('/openapi.json', {
        ...headers,
        'if-none-match': String(first.headers.etag),
      });
      expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    },
  );

  test('the API document is sent for the ETag of another encoding, and HEAD has its length', async () => {
    const { headers } = await send('/openapi.json', { 'accept-encoding': 'br' });
    const other = { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) };
    const gzipped = await send('/openapi.json', other);
    expect(gzipped.status).toBe(200);
    const head = await send('/openapi.json', { 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head.headers['content-length']).toBe(String(gzipped.bytes.length));
  });
});
