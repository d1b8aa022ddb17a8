import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HttpConnection } from '../load/http-connection.ts';
import { median, percentile } from '#support/figures.ts';
import { MemorySamples, requireMemoryFigures } from '#support/memory.ts';
import { startGateway } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

/** Twice the time that Node needs to parse the largest flood on its own CPU. */
const LIMIT_MS = 1_000;
const DOCUMENT = '/api/v1/openapi.json';
const TOPICS = '/api/v1/topics';
/** The number of connections, and of pipelined requests on each. 17 is the maximum that is not cut. */
const FLOODS = [
  { connections: 0, requests: 0, path: DOCUMENT },
  { connections: 1, requests: 1_000, path: DOCUMENT },
  { connections: 10, requests: 200, path: DOCUMENT },
  { connections: 50, requests: 40, path: DOCUMENT },
  { connections: 200, requests: 1, path: DOCUMENT },
  { connections: 200, requests: 17, path: DOCUMENT },
  { connections: 30, requests: 1_400, path: TOPICS },
];

export const row: Row = {
  id: 'P13',
  title: 'Latency of other clients while one floods the gateway',
  sides: { value: 'slowest response to another client, worst flood', limit: 'the maximum allowed' },
  unit: 'ms',
  target: { at: 'most', ratio: 1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  requireMemoryFigures();
  const [rounds, seconds] = bench.quick ? [1, 0.5] : [5, 3];
  const gateway = await startGateway(bench, await bench.scratch.database('floods'), {
    LOG_LEVEL: 'info',
  });
  const memory = new MemorySamples(gateway.pid);
  const figures = FLOODS.map((): number[][] => []);
  let most = 0;
  try {
    await askDuring(gateway.url, FLOODS[0]!, seconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, flood] of FLOODS.entries()) {
        figures[index]!.push(await askDuring(gateway.url, flood, seconds));
      }
    }
  } finally {
    most = Math.max(...memory.stop());
    await gateway.stop();
  }
  const slowest = figures.map((each) => median(each.map((times) => Math.max(...times))));
  return {
    value: Math.max(...slowest.slice(1)),
    limit: LIMIT_MS,
    notes: [
      `each flood from its first byte for ${seconds} s, ${rounds} times; its responses are not read; the other client repeats GET ${TOPICS} on its own connection`,
      `gateway, flood and client share the CPUs; the gateway used at most ${most.toFixed(0)} MB`,
    ],
    table: [
      ['flood', 'other responses', 'p50, ms', 'p95, ms', 'slowest of a round, ms'],
      ...FLOODS.map(({ connections, requests, path }, index) => [
        connections === 0 ? 'none' : `${connections} × ${requests} GET ${path}`,
        String(figures[index]!.flat().length),
        median(figures[index]!.flat()).toFixed(1),
        percentile(95, figures[index]!.flat()).toFixed(1),
        slowest[index]!.toFixed(1),
      ]),
    ],
  };
}

/** @returns the response times of another client, in milliseconds */
async function askDuring(
  url: string,
  { connections, requests, path }: (typeof FLOODS)[number],
  seconds: number,
): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: connections }, (): Socket =>
    connect(Number(port), hostname).on('error', () => {}),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const other = new HttpConnection(url);
  const text = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests);
  for (const socket of sockets) socket.write(text);
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  do {
    const begun = performance.now();
    await other.sendUntilOk(`GET ${TOPICS} HTTP/1.1\r\nhost: x\r\n\r\n`);
    times.push(performance.now() - begun);
  } while (performance.now() < until);
  other.close();
  for (const socket of sockets) socket.destroy();
  return times;
}
