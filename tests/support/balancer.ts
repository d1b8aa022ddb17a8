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
  /** Requests that failed for the client, by an error status or without an answer: one line each. */
  failures: string[];
  /** How often a request was sent again, to the next gateway. */
  retries: () => number;
  close: () => Promise<void>;
}

/** As in deploy/proxy/Caddyfile. */
const KEEP_ALIVE_MS = 1_000;
const RETRY_TIMEOUT_MS = 15_000;
const RETRY_INTERVAL_MS = 100;

/**
 * A load balancer by the rules of our proxy: round robin, without health checks. A gateway that accepts
 * no connection was sent nothing, so the request goes to the next one. A request that was sent and not
 * answered is retried only if it is a GET.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS });
  const failures: string[] = [];
  let next = 0;
  let retries = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = url.split('?')[0]!;
    const until = Date.now() + RETRY_TIMEOUT_MS;
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
      retries += 1;
      if (retries % ports.length === 0) await sleep(RETRY_INTERVAL_MS);
    }
    const { statusCode } = response;
    if (statusCode >= 500) failures.push(`${method} ${path} answered ${statusCode}`);
  }

  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    retries: () => retries,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns `done`, or why there is no answer. The body is sent once the connection is open. */
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
  // When the client disconnects, its request is aborted.
  const abort = () => {
    if (response.writableFinished) return;
    outgoing.destroy();
    resolve('left');
  };
  response.once('close', abort);
  return promise.finally(() => response.off('close', abort));
}
