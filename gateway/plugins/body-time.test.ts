import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyTimePlugin } from './body-time.ts';

const SILENCE_MS = 150;
const app = Fastify({ requestTimeout: 0 });
let port = 0;
let received: string | Error | undefined;

beforeAll(async () => {
  await app.register(bodyTimePlugin, { silenceMs: SILENCE_MS });
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  app.post('/', { config: { streamedBody: true } }, async ({ body }) => {
    received = undefined;
    let text = '';
    try {
      for await (const part of body as AsyncIterable<Buffer>) text += String(part);
    } catch (error) {
      received = error as Error;
      throw error;
    }
    received = text;
    // An answer may be longer in coming than a sender may be silent.
    await sleep(SILENCE_MS * 4);
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** Sends the parts with pauses between them; returns all that was answered. */
async function send(parts: string[], pauseMs: number, length: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => {});
  socket.write(
    'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/csv\r\n' +
      `content-length: ${length}\r\n\r\n`,
  );
  const closed = once(socket, 'close');
  for (const part of parts) {
    socket.write(part);
    await sleep(pauseMs);
  }
  await closed;
  return answer;
}

test('a streamed body may take as long as it likes', async () => {
  expect(
    await send(
      Array.from({ length: 10 }, () => 'x'),
      SILENCE_MS / 3,
      10,
    ),
  ).toContain('done');
  expect(received).toBe('xxxxxxxxxx');
});

test('a sender that is silent is given up', async () => {
  expect(await send(['x'], 0, 10)).not.toContain('done');
  expect(received).toBeInstanceOf(Error);
});
