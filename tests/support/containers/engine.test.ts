import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findEngine } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'proveklar-engine-'));
const DOCKER_HOST = `unix://${join(folder, 'docker.sock')}`;
let status = 200;
const engine = createServer((_request, response) => {
  response.statusCode = status;
  response.end('OK');
});

beforeAll(async () => {
  engine.listen(join(folder, 'docker.sock'));
  await once(engine, 'listening');
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});

it('finds a Docker engine that answers, and not one that answers with an error', async () => {
  expect(await findEngine({ DOCKER_HOST })).toBe(DOCKER_HOST);
  status = 503;
  expect(await findEngine({ DOCKER_HOST })).toBeUndefined();
});

it.each(['unix:///nonexistent', 'tcp://127.0.0.1:1', 'ssh://somewhere', 'nonsense'])(
  'looks for no other engine where DOCKER_HOST is %s',
  async (address) => {
    expect(await findEngine({ DOCKER_HOST: address })).toBeUndefined();
  },
);
