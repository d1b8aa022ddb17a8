import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { buildApp } from '../app.ts';

/** A busy host accepts them well within the time that the gateway has for it. */
const BURST = 100;
const STALL_TIMEOUT_MS = 10_000;

/** Opens connections, sends a request on each, and reports how many were answered, and the errors of the others. */
const CLIENTS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, BURST, connected } } = require('node:worker_threads');
  const open = () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST /api/v1/payment/cancel HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n');
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    });
    socket.once('data', () => resolve('answered')).once('error', ({ code }) => resolve(code));
  });
  Promise.all(Array.from({ length: BURST }, open)).then((all) => {
    const counts = {};
    for (const outcome of all) counts[outcome] = (counts[outcome] ?? 0) + 1;
    parentPort.postMessage(counts);
  });
`;

const gateway = useTestGateway();

/** The status of a response, and whether the connection stays open. */
function ask(agent: Agent, port: number): Promise<{ status: number; connection: string }> {
  return new Promise((resolve, reject) => {
    const asking = request({ agent, port, method: 'POST', path: '/api/v1/payment/cancel' });
    asking.on('response', (answer) => {
      answer.resume();
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, connection: answer.headers.connection! }),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

test('a request on a keep-alive connection is answered after the drained gateway has stopped listening', async () => {
  const config = { ...gateway.deps.config, DRAIN_SECONDS: 1 };
  const app = await buildApp(createTestDeps(config));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await ask(agent, port)).toEqual({ status: 400, connection: 'keep-alive' });

  app.drain();
  const closed = app.close();
  await vi.waitFor(() => expect(app.server.listening).toBe(false));
  expect(await ask(agent, port)).toEqual({ status: 400, connection: 'close' });
  await closed;
  await expect(ask(agent, port)).rejects.toThrow('ECONNREFUSED');
});

test('a gateway that closes answers each connection that the kernel has accepted and Node has not', async () => {
  const app = await buildApp(createTestDeps({ ...gateway.deps.config, DRAIN_SECONDS: 1 }));
  await app.listen({ port: 0, host: '127.0.0.1', backlog: BURST });
  const { port } = app.server.address() as AddressInfo;
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const clients = new Worker(CLIENTS, { eval: true, workerData: { port, BURST, connected } });
  const outcomes = once(clients, 'message');
  app.drain();
  // Blocks the thread of the gateway, which so accepts none of them before it closes.
  for (let open = 0; open < BURST; open = Atomics.load(connected, 0)) {
    expect(Atomics.wait(connected, 0, open, STALL_TIMEOUT_MS)).not.toBe('timed-out');
  }
  await app.close();
  expect(await outcomes).toEqual([{ answered: BURST }]);
});
