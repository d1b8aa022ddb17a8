import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { describeTakenPorts, freePorts } from '@proveklar/local/ports.ts';

const host = '127.0.0.1';
const server = createServer();
afterEach(() => server.close());

it('names a port that is in use and the variable to set', async () => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  expect(await describeTakenPorts([{ port, purpose: 'web', variable: 'PORT', host }])).toEqual([
    `Port ${port} (web) is taken. Free it, or choose another: PORT=${port + 1}`,
  ]);
});

it('reports nothing when all ports are free', async () => {
  const [port = 0] = await freePorts(1);
  expect(await describeTakenPorts([{ port, purpose: 'web', variable: 'PORT', host }])).toEqual([]);
});

it('reports two services with the same port', async () => {
  const [port = 0] = await freePorts(1);
  const lines = await describeTakenPorts([
    { port, purpose: 'web', variable: 'PORT', host },
    { port, purpose: 'PostgreSQL', variable: 'POSTGRES_PORT', host },
  ]);
  expect(lines).toEqual([`PORT and POSTGRES_PORT are both ${port}. Each needs its own.`]);
});

it('gives different free ports', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
});
