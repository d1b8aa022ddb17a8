import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bodyTimeoutPlugin } from './bodies.ts';

const IDLE_TIMEOUT_MS = 30_000;
/** Short and real: only the interval timers are faked here. */
const TIMEOUT_MS = 500;
const app = Fastify({ requestTimeout: 0 });
let port = 0;
let received: string | Error | undefined;
let ended: PromiseWithResolvers<void>;
let answering: PromiseWithResolvers<void>;

beforeAll(async () => {
  await app.register(bodyTimeoutPlugin, { idleTimeoutMs: IDLE_TIMEOUT_MS, timeoutMs: TIMEOUT_MS });
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  app.post('/', { config: { streamedBody: true } }, async ({ body }) => {
    received = '';
    try {
      for await (const part of body as AsyncIterable<Buffer>) received += String(part);
    } catch (error) {
      received = error as Error;
      throw error;
    }
    ended.resolve();
    await answering.promise;
    return 'done';
  });
  app.post('/plain', async () => 'done');
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.status(401).send('refused');
  app.post('/refused', { onRequest: refuse }, async () => 'done');
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

// The idle timeout is an interval, and only intervals are faked: the connection is real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  received = undefined;
  ended = Promise.withResolvers();
  answering = Promise.withResolvers();
});
afterEach(() => void vi.useRealTimers());

/** Starts a request with a body of ten bytes; resolves when the server waits for it. */
async function begin() {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => {});
  socket.write(
    'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/csv\r\n' +
      'content-length: 10\r\n\r\n',
  );
  const closed = once(socket, 'close');
  await expect.poll(() => received).toBe('');
  return {
    /** Sends a byte; resolves when the server has read it. */
    async sendByte(number: number) {
      socket.write('x');
      await expect.poll(() => received).toBe('x'.repeat(number));
    },
    async answer() {
      await closed;
      return answer;
    },
  };
}

test('a streamed body may take longer than the idle timeout', async () => {
  const sender = await begin();
  for (let number = 1; number <= 10; number += 1) {
    await sender.sendByte(number);
    vi.advanceTimersByTime(IDLE_TIMEOUT_MS);
  }
  // The response may take longer too.
  await ended.promise;
  vi.advanceTimersByTime(IDLE_TIMEOUT_MS * 4);
  answering.resolve();
  expect(await sender.answer()).toContain('done');
});

test('a streamed body without data for the idle timeout is cut off', async () => {
  const sender = await begin();
  await sender.sendByte(1);
  // The first interval sees the byte, the second nothing.
  vi.advanceTimersByTime(IDLE_TIMEOUT_MS * 2);
  expect(await sender.answer()).not.toContain('done');
  expect(received).toBeInstanceOf(Error);
});

test.each([
  ['/plain', 'that arrives too slowly is cut off without a response', ''],
  ['/refused', 'that still arrives after its response is cut off too', 'refused'],
])('POST %s: a body %s', async (path, _title, answered) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
      'content-length: 1000000\r\n\r\n',
  );
  // Each byte resets an idle timeout.
  const drip = () => {
    if (socket.destroyed) return;
    socket.write(' ');
    setTimeout(drip, 20);
  };
  drip();
  // Not once(): it fails when the connection is reset, which is fine too.
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answer.split('\r\n\r\n')[1] ?? '').toBe(answered);
});
