import { AsyncResource } from 'node:async_hooks';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The limits of a server. Times are in milliseconds. */
export interface ServerLimits {
  /** The maximum number of concurrent connections; any more are closed immediately. */
  connections: number;
  /** The timeout for receiving the headers of a request. */
  headersMs: number;
  /** The timeout for headers and body together; 0 when the code that reads bodies has its own timeouts. */
  requestMs: number;
  /** The timeout for a client that reads no byte of its pending response. */
  unreadMs: number;
  /** The keep-alive timeout between two requests: longer than that of proxies (60 s). */
  idleMs: number;
}

/** The reasons for cutting a connection. */
export const CUT_REASONS = [
  'too_many',
  'pipelined',
  'unread',
  'slow_headers',
  'slow_body',
] as const;
export type CutReason = (typeof CUT_REASONS)[number];

const DEFAULT_LIMITS: ServerLimits = {
  connections: 2_000,
  headersMs: 30_000,
  requestMs: 0,
  unreadMs: 30_000,
  idleMs: 72_000,
};
/**
 * The maximum of pipelined requests that wait on a connection. Browsers and proxies do not pipeline; Node
 * reads up to 64 KiB at once, which is 2,600 of the shortest requests.
 */
const MAX_PIPELINED = 16;
/** Of all connections together. */
const PIPELINED_IN_A_TURN = 4;
/** The number of progress checks within `unreadMs`. */
const CHECKS = 30;

interface Connection {
  /** The response in progress; undefined when no request waits. */
  current?: ServerResponse | undefined;
  /** Start the handling of the pipelined requests, in order. */
  waiting: (() => void)[];
  /** Bytes that the kernel had accepted at the last check, and the number of checks without a change. */
  taken: number;
  checksWithoutProgress: number;
}

/**
 * Creates an HTTP server whose memory does not depend on what clients send, or leave unread.
 *
 * Node handles all pipelined requests of a connection concurrently, and buffers each response until the
 * earlier ones are read: a thousand small requests in one packet became a thousand responses in memory. This
 * server handles the requests of a connection one at a time: the next begins when the kernel has accepted
 * the last byte of the response before it.
 *
 * @param onCut is called for each connection that is cut because of a limit
 */
export function boundedServer(
  handler: RequestListener,
  overrides: Partial<ServerLimits> = {},
  onCut: (reason: CutReason) => void = () => {},
): Server {
  const limits = { ...DEFAULT_LIMITS, ...overrides };
  const connections = new Map<Socket, Connection>();
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    // Node checks timeouts at this interval only; its default is 30 seconds.
    connectionsCheckingInterval: Math.ceil(Math.min(1_000, limits.headersMs / CHECKS)),
    keepAliveTimeout: limits.idleMs,
  });
  server.maxConnections = limits.connections;

  function cut(socket: Socket, reason: CutReason): void {
    onCut(reason);
    socket.destroy();
  }

  const pipelined: (() => void)[] = [];
  let takesTurns = false;
  /**
   * Begins some pipelined requests in each turn of the event loop. With one of each connection, two hundred large
   * responses were written in one turn, and another client's request takes several turns.
   */
  function inTurn(begin: () => void): void {
    pipelined.push(begin);
    if (!takesTurns) setImmediate(takeTurn);
    takesTurns = true;
  }
  function takeTurn(): void {
    for (const begin of pipelined.splice(0, PIPELINED_IN_A_TURN)) begin();
    takesTurns = pipelined.length > 0;
    if (takesTurns) setImmediate(takeTurn);
  }

  function answer(connection: Connection, ...[request, response]: Parameters<RequestListener>) {
    connection.current = response;
    response.once('close', () => {
      const next = connection.waiting.shift();
      if (next) inTurn(next);
      else connection.current = undefined;
    });
    handler(request, response);
  }

  server.on('connection', (socket) => {
    connections.set(socket, { waiting: [], taken: 0, checksWithoutProgress: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('drop', () => onCut('too_many'));

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // Node still parses what arrived together with the request for which the connection was cut.
    if (!connection || socket.destroyed) return;
    if (!connection.current) answer(connection, request, response);
    else if (connection.waiting.length === MAX_PIPELINED) cut(socket, 'pipelined');
    else {
      const begin = () => !socket.destroyed && answer(connection, request, response);
      // Bound, or it would run in the async context of the request before.
      connection.waiting.push(AsyncResource.bind(begin));
    }
  });

  // Node would answer 417 without a body. RFC 9110, 10.1.1, lets a server ignore an unknown expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  // Registered before the listener that answers the error, whose response must not end up inside another one.
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    const current = connections.get(socket)?.current;
    const late = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (late) onCut('slow_headers');
    if (current && (late || current.headersSent)) socket.destroy();
  });

  // Not the timeout of the sockets, which every byte from the client resets. Counts checks and not time,
  // because the process itself may have been suspended.
  let checking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    checking = setInterval(() => {
      for (const [socket, connection] of connections) {
        const taken = takenBytes(socket);
        const moves = socket.writableLength === 0 || taken !== connection.taken;
        connection.taken = taken;
        connection.checksWithoutProgress = moves ? 0 : connection.checksWithoutProgress + 1;
        if (connection.checksWithoutProgress === CHECKS) cut(socket, 'unread');
      }
    }, limits.unreadMs / CHECKS).unref();
  });
  server.on('close', () => clearInterval(checking));
  return server;
}

/**
 * The bytes written to a socket that the kernel has accepted. `bytesWritten` counts a large response as soon
 * as it is queued, though it may wait for minutes. The size of the queue is only in `_handle`, which Node uses
 * for its own timeouts too.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
