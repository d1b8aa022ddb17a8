import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { httpRequests } from '@proveklar/services/counters/counters.ts';
import { metricsPlugin } from './metrics.ts';

const ROUTES = ['/api/answered', '/api/never', '/api/stream'];

test('a request whose client leaves is counted: before the response, and in a live stream', async () => {
  const app = Fastify();
  await app.register(metricsPlugin);
  app.get('/api/answered', async () => 'yes');
  app.get('/api/never', () => new Promise(() => {}));
  app.get('/api/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).write('on and on');
  });
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (const url of ROUTES) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await (url === '/api/never' ? once(app.server, 'request') : once(socket, 'data'));
    socket.destroy();
  }
  const counted = async () =>
    Object.fromEntries(
      (await httpRequests.get()).values
        .filter(({ labels }) => ROUTES.includes(String(labels.route)))
        .map(({ labels, value }) => [`${String(labels.route)} ${String(labels.status)}`, value]),
    );
  await expect
    .poll(counted)
    .toEqual({ '/api/answered 200': 1, '/api/never 499': 1, '/api/stream 200': 1 });
  await app.close();
});
