import {
  Agent,
  createServer,
  request as openRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Balancer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** What clients were told went wrong, or were not told at all: one line each. */
  failures: string[];
  /** Requests that a gateway took no connection for, and another one answered. */
  redialled: () => number;
  close: () => Promise<void>;
}

/** As in deploy/proxy/Caddyfile. */
const KEEP_ALIVE_MS = 1_000;
const TRY_MS = 15_000;
const TRY_EVERY_MS = 100;

/**
 * Shares requests out among gateways by the rules of our proxy: in turn; without asking them for their
 * health; whoever takes no connection was sent nothing, so the next one is tried; what was sent and not
 * answered is sent again only if it is a GET.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS });
  const failures: string[] = [];
  let next = 0;
  let redialled = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = url.split('?')[0]!;
    const until = Date.now() + TRY_MS;
    for (;;) {
      const port = ports[next++ % ports.length]!;
      const outcome = await tryOne(agent, port, request, response);
      if (outcome === 'done') break;
      const mayRepeat = outcome === 'refused' || method === 'GET';
      if (!mayRepeat || response.headersSent || Date.now() > until) {
        if (!response.destroyed) failures.push(`${method} ${path}: ${outcome}`);
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end();
        return;
      }
      redialled += 1;
      if (redialled % ports.length === 0) await sleep(TRY_EVERY_MS);
    }
    const { statusCode } = response;
    if (statusCode >= 500) failures.push(`${method} ${path} answered ${statusCode}`);
  }

  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    redialled: () => redialled,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns `done`, or why there is no answer; the body is sent only on a connection that is there */
function tryOne(
  agent: Agent,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { method, url: path, headers } = request;
  const { connection: _, ...passed } = headers;
  const outgoing: ClientRequest = openRequest({ agent, port, method, path, headers: passed });
  let isConnected = false;
  const send = () => {
    isConnected = true;
    request.pipe(outgoing);
  };
  outgoing.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', send);
    else send();
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    request.unpipe(outgoing);
    resolve(isConnected ? `${error.code ?? error.message} after it was sent` : 'refused');
  });
  outgoing.on('response', (answer) => {
    const { connection: __, 'keep-alive': ___, ...answered } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, answered);
    response.flushHeaders();
    answer.pipe(response);
    answer.once('error', () => resolve('broke off'));
    answer.once('end', () => resolve('done'));
  });
  // A client that goes away takes its request with it.
  const leave = () => {
    if (response.writableFinished) return;
    outgoing.destroy();
    resolve('left');
  };
  response.once('close', leave);
  return promise.finally(() => response.off('close', leave));
}
