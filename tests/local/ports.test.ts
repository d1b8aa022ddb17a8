import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

it('gives no port to two processes, also before anything listens on it', async () => {
  const draw = `const { freePorts } = await import(process.argv[1]);
    console.log(JSON.stringify(await freePorts(60)));
    process.stdin.resume();`;
  const others = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ['--eval', draw, import.meta.resolve('@proveklar/local/ports.ts')]),
  );
  const drawn = await Promise.all(
    others.map(async ({ stdout }) => {
      const [line] = (await once(stdout, 'data')) as [Buffer];
      return JSON.parse(String(line)) as number[];
    }),
  );
  const ports = [...drawn.flat(), ...(await freePorts(60))];
  for (const other of others) other.stdin.end();
  expect(new Set(ports).size).toBe(9 * 60);
});

it('gives different free ports', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
});
