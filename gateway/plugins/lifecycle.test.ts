import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { buildApp } from '../app.ts';

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
