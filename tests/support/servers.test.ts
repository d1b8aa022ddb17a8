import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { testPostgres } from './servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'proveklar-servers-'));
const children: Child[] = [];
let engine: Server | undefined;

afterEach(async () => {
  await Promise.all(children.map((child) => child.stop()));
  engine?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An engine that has no image and can get none. */
async function engineWithoutImages(): Promise<string> {
  engine = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/_ping')) response.end('OK');
    else if (path.endsWith('/info')) response.end('{}');
    else response.writeHead(404).end('{"message":"no such image"}');
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  return `tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`;
}

it('falls back to the embedded PostgreSQL, and says so in one line', async () => {
  const said: string[] = [];
  const url = await testPostgres({
    engine: await engineWithoutImages(),
    folder,
    onStart: (child) => children.push(child),
    say: (line) => said.push(line),
  });
  const message =
    /^Database: embedded PostgreSQL\. Docker does not run postgres:18-alpine \(.*\)\.$/;
  expect(said).toEqual([expect.stringMatching(message)]);
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select lower('ÆØÅ') as lower, usesuper as super from pg_user where usename = user`,
    ),
  );
  expect(rows).toEqual([{ lower: 'æøå', super: false }]);
});
