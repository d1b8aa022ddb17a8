import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { answersOk, untilReady } from '@proveklar/local/until-ready.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { bySize } from '#support/settings.ts';
import { shared } from '#support/shared.ts';
import { scrape } from '#operations/scrape.ts';

// Clients that send as many requests as they can and read no answer, without a proxy, to a gateway in a
// process of its own with production's heap (512 MB).
const DOCUMENT = '/api/v1/openapi.json';
const PAGE = '/personvern';
const INTENT = '/api/v1/payment/create-registration-intent';
/** The route labels under which their requests are counted. */
const ROUTES: Record<string, string> = { [DOCUMENT]: DOCUMENT, [PAGE]: '/*' };
/**
 * The process takes 160 MB after its start, and its young generation up to 24 MB. A process above this
 * limit keeps something for each request. Its heap alone may reach 512 MB.
 */
const MAX_MB = 400;

const gateway = useTestGateway();
let folder: string;
let port: number;
let operatorsUrl: string;
let server: Child;
let sockets: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proveklar-floods-'));
});
afterAll(() => rm(folder, { recursive: true }));

// A new process for each flood, so that one flood's memory is not measured as another's.
beforeEach(async () => {
  const { dir } = await shared<{ dir: string }>('frontend');
  const [first = 0, second = 0] = await freePorts(2);
  port = first;
  operatorsUrl = `http://127.0.0.1:${second}`;
  const settings = Object.entries(gateway.deps.config).map(([key, value]) => [key, `${value}`]);
  const logFile = join(folder, `${port}.log`);
  server = startNode({
    name: 'gateway',
    script: [join(PROJECT_DIR, 'gateway/server.ts')],
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(settings),
      LOG_LEVEL: 'info',
      FRONTEND_DIR: dir,
      PORT: `${port}`,
      OPERATORS_PORT: `${second}`,
    },
    logFile,
  });
  const isReady = () => answersOk(`http://127.0.0.1:${port}/health/ready`);
  await untilReady({ child: server, isReady, logFile });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.stop();
});

const flood = (connections: number, requests: number, path: string) =>
  open(connections, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests));

/** Opens the connections, sends the text on each, and reads nothing. */
async function open(connections: number, text: string): Promise<void> {
  const opened = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  sockets.push(...opened);
  await Promise.all(
    opened.map(async (socket) => {
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(text);
    }),
  );
}

/** The process's memory in megabytes: now, or its peak. */
async function memory(what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${String(server.pids[0])}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Runs `work`, and sends requests as another client meanwhile; each must be answered. */
async function meanwhile(work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const done = work().finally(() => over.abort());
  let slowest = 0;
  do {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/topics`);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    slowest = Math.max(slowest, performance.now() - begun);
  } while (!over.signal.aborted);
  await done;
  return slowest;
}

const answered = async (path: string) =>
  (await scrape(operatorsUrl)).sum('proveklar_http_requests_total', { route: ROUTES[path]! });
const cutFor = async (reason: string) =>
  (await scrape(operatorsUrl)).value('proveklar_connections_cut_total', { reason });

describe('a gateway survives, stays small and answers other clients during', () => {
  test.each([
    { connections: 1, requests: 1_000, path: DOCUMENT },
    { connections: 10, requests: 200, path: DOCUMENT },
    { connections: 50, requests: 40, path: DOCUMENT },
    { connections: 30, requests: 1_400, path: PAGE },
  ])(
    '$connections × $requests pipelined GET $path: it cuts all of them',
    async ({ connections, requests, path }) => {
      const slowest = await meanwhile(async () => {
        await flood(connections, requests, path);
        await expect.poll(() => cutFor('pipelined')).toBe(connections);
      });
      await reportMemory(slowest);
    },
  );

  test.each([
    { connections: 200, requests: 1, path: DOCUMENT },
    { connections: 200, requests: 17, path: DOCUMENT },
    { connections: 200, requests: 17, path: PAGE },
  ])(
    '$connections × $requests GET $path, as many as may wait: it cuts none',
    async ({ connections, requests, path }) => {
      const slowest = await meanwhile(async () => {
        await flood(connections, requests, path);
        await expect.poll(() => answered(path)).toBeGreaterThanOrEqual(connections);
      });
      expect(await cutFor('pipelined')).toBe(0);
      await reportMemory(slowest);
    },
  );
});

test('1,900 connections that arrive while the process is suspended are all answered', async () => {
  const pid = server.pids[0]!;
  process.kill(pid, 'SIGSTOP');
  try {
    await flood(1_900, 1, PAGE);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(() => answered(PAGE)).toBe(1_900);
});

test('endless bodies on 1,900 connections are cut, and fit into the memory until then', async () => {
  const body = ' '.repeat(64 * 1024 - 1);
  const head = `POST ${INTENT} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
  const slowest = await meanwhile(async () => {
    await open(1_900, `${head}content-length: ${body.length + 1}\r\n\r\n${body}`);
    await expect.poll(() => cutFor('slow_body')).toBe(1_900);
  });
  await reportMemory(slowest);
});

const STREAMS = bySize({ quick: 40, large: 40, full: 500 });
/** Of one account; a fifth would replace the first. */
const STREAMS_OF_ONE = 4;

test(`${STREAMS} live streams that their clients do not read are cut, and fit into the memory until then`, async () => {
  const { db, config } = gateway.deps;
  const owner = config.ADMIN_EMAIL;
  const tokens = await Promise.all(
    Array.from({ length: STREAMS / STREAMS_OF_ONE }, async () => {
      const email = uniqueEmail();
      await inviteMember(db, { email, role: 'editor', actor: owner, owners: [owner] });
      return (await gateway.identity.signInWithGoogle({ email })).idToken;
    }),
  );
  const openStreams = async () => (await scrape(operatorsUrl)).value('proveklar_live_streams') ?? 0;
  for (const token of tokens) {
    const head = `GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
    await open(STREAMS_OF_ONE, head);
  }
  await expect.poll(openStreams).toBe(STREAMS);
  // Each has an id of its own: equal ones are sent once.
  const updates = () =>
    Array.from({ length: 20 }, () => ({ topic: 'statistics', request_id: randomUUID() }) as const);
  let sent = 0;
  const slowest = await meanwhile(async () => {
    while ((await openStreams()) > 0) {
      const some = updates();
      await withTransaction(db, (tx) => notifyLive(tx, some));
      sent += some.length;
    }
  });
  recordFigures({ 'unread streams': STREAMS, 'updates sent to each': sent });
  await reportMemory(slowest);
});

/** Prints the measured values; fails when the process has grown too much. */
async function reportMemory(slowest: number): Promise<void> {
  const [most, now] = await Promise.all([memory('VmHWM'), memory('VmRSS')]);
  recordFigures({ 'most MB': Math.round(most), 'others, worst ms': Math.round(slowest) });
  process.stdout.write(
    `${expect.getState().currentTestName ?? ''}: at most ${Math.round(most)} MB, now ${Math.round(now)}; ` +
      `others within ${Math.round(slowest)} ms\n`,
  );
  expect(most).toBeLessThan(MAX_MB);
}
