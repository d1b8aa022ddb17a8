import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { boundedServer, type CutReason, type ServerLimits } from './bounded-server.ts';

const MB = 1024 * 1024;
/** More than the kernel keeps for both ends of a local connection. */
const LARGE = Buffer.alloc(16 * MB, 'x');
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Starts a server on a free port, and collects the reasons of its cuts. */
async function serve(handler: RequestListener, limits: Partial<ServerLimits> = {}) {
  const cuts: CutReason[] = [];
  const server = boundedServer(handler, limits, (reason) => cuts.push(reason));
  // As Fastify does.
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  }
  return { server, cuts, open };
}

/** Reads until the text comes, or the connection ends. */
async function read(socket: Socket, until: string): Promise<string> {
  let text = '';
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    text += String(part);
    if (text.includes(until)) break;
  }
  return text;
}

/** Not once(), which rejects when the connection is reset. */
const closed = (socket: Socket) =>
  new Promise((resolve) => {
    if (socket.closed) resolve(undefined);
    else socket.on('close', resolve);
  });

/** Sends an endless header, byte by byte. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20);
  socket.on('close', () => clearInterval(timer));
}

test('pipelined requests are answered in order, one at a time', async () => {
  let underWay = 0;
  let most = 0;
  const { open, cuts } = await serve(({ url = '' }, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setImmediate(() => {
      underWay -= 1;
      response.end(`<${url}>`);
    });
  });
  const socket = await open();
  const paths = Array.from({ length: 17 }, (_, n) => `/${n}`);
  socket.write(paths.map(get).join(''));
  const answers = await read(socket, '</16>');
  expect(answers.match(/<[^>]+>/g)).toEqual(paths.map((path) => `<${path}>`));
  expect(most).toBe(1);
  expect(cuts).toEqual([]);
});

test('pipelined requests of many connections begin a few in each turn of the event loop', async () => {
  let inThisTurn = 0;
  let most = 0;
  let begun = 0;
  const firsts: ServerResponse[] = [];
  const { open } = await serve(({ url }, response) => {
    if (url === '/first') {
      // All end in the same turn.
      if (firsts.push(response) === 50) for (const first of firsts) first.end();
      return;
    }
    if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
    most = Math.max(most, (inThisTurn += 1));
    begun += 1;
    response.end();
  });
  const sockets = await Promise.all(Array.from({ length: 50 }, open));
  for (const socket of sockets) socket.write(get('/first') + get('/second'));
  await expect.poll(() => begun).toBe(50);
  // Those of a turn, and of the one after it.
  expect(most).toBeLessThanOrEqual(8);
});

test('a pipelined request has its own async context', async () => {
  const names = new AsyncLocalStorage<string>();
  const { open } = await serve(({ url = '' }, response) => {
    const before = names.getStore() ?? 'none';
    names.run(url, () => setImmediate(() => response.end(`<${url} after ${before}>`)));
  });
  const socket = await open();
  socket.write(get('/1') + get('/2'));
  expect(await read(socket, '</2')).toContain('</2 after none>');
});

test('a connection with too many pipelined requests is cut, and the waiting ones are dropped', async () => {
  let handled = 0;
  const { open, cuts } = await serve(() => (handled += 1));
  const socket = await open();
  socket.resume().write(get('/').repeat(1_000));
  await closed(socket);
  expect({ handled, cuts }).toEqual({ handled: 1, cuts: ['pipelined'] });
});

test('a pipelined request is not handled after its client has left', async () => {
  const handled: string[] = [];
  const { server, open } = await serve(({ url = '' }, response) => {
    handled.push(url);
    if (url === '/other') response.end('done');
  });
  const socket = await open();
  const received = once(server, 'request');
  socket.write(get('/first') + get('/second'));
  await received;
  socket.destroy();
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
  const other = await open();
  other.write(get('/other'));
  await read(other, 'done');
  expect(handled).toEqual(['/first', '/other']);
});

test('a slow reader gets a large response in full, however long it takes', async () => {
  const unreadMs = 600;
  const { open, cuts } = await serve((_request, response) => response.end(LARGE), { unreadMs });
  const socket = await open();
  const startedAt = performance.now();
  let bytes = 0;
  socket.on('data', (part: Buffer) => {
    bytes += part.length;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  socket.write(get('/'));
  await expect.poll(() => bytes).toBeGreaterThan(LARGE.length);
  // Otherwise the reader was not slow.
  expect(performance.now() - startedAt).toBeGreaterThan(2 * unreadMs);
  expect(cuts).toEqual([]);
});

test('a client that reads nothing is cut, and one that waits for its response is not', async () => {
  const answering = Promise.withResolvers<void>();
  const { open, cuts } = await serve(
    ({ url }, response) => {
      if (url !== '/waits') response.end(LARGE);
      else void answering.promise.then(() => response.end('done'));
    },
    { unreadMs: 300 },
  );
  const waits = await open();
  waits.write(get('/waits'));
  const first = await open();
  first.write(get('/'));
  await expect.poll(() => cuts).toEqual(['unread']);
  const second = await open();
  // Sending is no sign of reading.
  second.write(`${get('/')}GET / HTTP/1.1\r\nx-endless: `);
  drip(second);
  await expect.poll(() => cuts).toEqual(['unread', 'unread']);
  answering.resolve();
  expect(await read(waits, 'done')).toContain('done');
});

test('slow headers are cut, alone and behind a response that is not read', async () => {
  const { open, cuts } = await serve((_request, response) => response.end(LARGE), {
    headersMs: 300,
  });
  const alone = await open();
  alone.resume().write('GET / HTTP/1.1\r\nx-endless: ');
  drip(alone);
  await closed(alone);
  expect(cuts).toEqual(['slow_headers']);
  const behind = await open();
  behind.write(`${get('/')}GET / HTTP/1.1\r\nx-endless: `);
  drip(behind);
  await expect.poll(() => cuts).toEqual(['slow_headers', 'slow_headers']);
});

test('a connection over the limit is closed, until another one has closed', async () => {
  const { open, cuts } = await serve((_request, response) => response.end('done'), {
    connections: 2,
  });
  const [first] = await Promise.all([open(), open()]);
  const third = await open();
  third.resume();
  await closed(third);
  expect(cuts).toEqual(['too_many']);
  first.destroy();
  const answered = async () => {
    const socket = await open();
    socket.write(get('/'));
    return read(socket, 'done');
  };
  await expect.poll(answered).toContain('done');
});
