import { AsyncResource } from 'node:async_hooks';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What one server gives to its clients at most. Times are in milliseconds. */
export interface ServerLimits {
  /** Connections at the same time; one more is closed as it comes. */
  connections: number;
  /** The headers of a request arrive within this time, however they are sent. */
  headersMs: number;
  /** Headers and body together; 0 where the reader of the bodies has limits of its own. */
  requestMs: number;
  /** A client takes at least one byte in this time while something waits to be sent to it. */
  unreadMs: number;
  /** How long a connection stays open between two requests: longer than proxies keep theirs (60 s). */
  idleMs: number;
}

/** Why we ended a connection. */
export const CUT_REASONS = [
  'too_many',
  'pipelined',
  'unread',
  'slow_headers',
  'slow_body',
] as const;
export type CutReason = (typeof CUT_REASONS)[number];

const USUAL: ServerLimits = {
  connections: 2_000,
  headersMs: 30_000,
  requestMs: 0,
  unreadMs: 30_000,
  idleMs: 72_000,
};
/**
 * Requests that wait on their connection while an earlier one is answered. Browsers and proxies send
 * none before the answer; Node reads up to 64 KiB at once, which is 2,600 of the shortest.
 */
const MAX_WAITING = 16;
/** How often progress is looked at within `unreadMs`. */
const LOOKS = 30;

interface Connection {
  /** What is answered now, until nothing waits any more. */
  current?: ServerResponse | undefined;
  /** Begins to answer the others, in the order in which they came. */
  waiting: (() => void)[];
  /** Bytes that the client's kernel or ours had taken at the last look, and looks since that changed. */
  taken: number;
  looks: number;
}

/**
 * An HTTP server whose memory does not depend on what its clients send, or leave unread.
 *
 * Node alone answers all requests of a connection at once, and keeps each answer until those before it
 * are read: a thousand small requests in one packet became a thousand answers in memory. Here the
 * requests of a connection are answered one after the other: the next is begun when the system
 * has taken the one before to its last byte.
 *
 * @param onCut hears of each connection that is ended because of a limit
 */
export function boundedServer(
  handler: RequestListener,
  given: Partial<ServerLimits> = {},
  onCut: (reason: CutReason) => void = () => {},
): Server {
  const limits = { ...USUAL, ...given };
  const connections = new Map<Socket, Connection>();
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    // Node looks for late requests at these intervals only; its own is 30 seconds.
    connectionsCheckingInterval: Math.ceil(Math.min(1_000, limits.headersMs / LOOKS)),
    keepAliveTimeout: limits.idleMs,
  });
  server.maxConnections = limits.connections;

  function cut(socket: Socket, reason: CutReason): void {
    onCut(reason);
    socket.destroy();
  }

  function answer(connection: Connection, ...[request, response]: Parameters<RequestListener>) {
    connection.current = response;
    response.once('close', () => {
      const next = connection.waiting.shift();
      // Not at once: sixteen of each of many connections would be answered before any other client.
      if (next) setImmediate(next);
      else connection.current = undefined;
    });
    handler(request, response);
  }

  server.on('connection', (socket) => {
    connections.set(socket, { waiting: [], taken: 0, looks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('drop', () => onCut('too_many'));

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // What had come together with a request for which it was cut is still parsed.
    if (!connection || socket.destroyed) return;
    if (!connection.current) answer(connection, request, response);
    else if (connection.waiting.length === MAX_WAITING) cut(socket, 'pipelined');
    else {
      const begin = () => !socket.destroyed && answer(connection, request, response);
      // Bound, or it would be done in the name of the request before.
      connection.waiting.push(AsyncResource.bind(begin));
    }
  });

  // Node would answer 417 without a body. RFC 9110, 10.1.1, lets a server ignore what it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  // Before the listener that answers the error: its answer must not get into the middle of another.
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    const current = connections.get(socket)?.current;
    const late = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (late) onCut('slow_headers');
    if (current && (late || current.headersSent)) socket.destroy();
  });

  // Not the sockets' own timeout: that begins again with each byte that the client sends. Looks are
  // counted and not time, in which this process may have been stopped itself.
  let watching: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    watching = setInterval(() => {
      for (const [socket, connection] of connections) {
        const taken = takenBytes(socket);
        const moves = socket.writableLength === 0 || taken !== connection.taken;
        connection.taken = taken;
        connection.looks = moves ? 0 : connection.looks + 1;
        if (connection.looks === LOOKS) cut(socket, 'unread');
      }
    }, limits.unreadMs / LOOKS).unref();
  });
  server.on('close', () => clearInterval(watching));
  return server;
}

/**
 * How much of what was written to a socket the system has taken. `bytesWritten` counts a large answer
 * as soon as it is handed over, though it may wait for minutes; what is left of it is only here, where
 * Node looks for its own timeouts too.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
