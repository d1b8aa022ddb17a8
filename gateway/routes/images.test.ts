import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { addQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><style>.a { fill: red }</style></svg>';
const HASH = createHash('sha256').update(SVG).digest('hex');

async function addPicture() {
  await addQuestions(
    gateway.deps.db,
    [
      {
        language: 'no',
        topic: 'Kart',
        question: 'Hvor er Oslo?',
        answer: 'Her',
        incorrect: ['Der'],
        image: `data:image/svg+xml,${SVG}`,
        image_alt: 'Et kart',
        uuid: crypto.randomUUID(),
      },
    ],
    'test',
  );
}

const get = (hash: string, headers = {}) =>
  gateway.app.inject({ method: 'GET', url: `/api/v1/images/${hash}`, headers });

test('a picture is public, runs nothing, and is cached for ever', async () => {
  await addPicture();
  const answer = await get(HASH);
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe(SVG);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${HASH}"`,
  });
  const again = await get(HASH, { 'if-none-match': `W/"x", "${HASH}"` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('an address without a picture is not found, and is not cached', async () => {
  const answer = await get('0'.repeat(64));
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
  expect((await get(HASH.toUpperCase())).statusCode).toBe(400);
});
