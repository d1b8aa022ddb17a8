import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { startHeartbeat } from '@proveklar/services/database/processes.ts';

/** Reports the running gateway in the table `process` while it takes requests. */
export const heartbeatPlugin = fp(
  async (app) => {
    const { db, config } = app.deps;
    let heartbeat: ReturnType<typeof startHeartbeat> | undefined;
    app.addHook('onListen', async () => {
      heartbeat = startHeartbeat(db, { kind: 'gateway', version: config.VERSION });
    });
    app.addHook('preClose', async () => {
      await heartbeat?.stop();
    });
  },
  { name: 'heartbeat' },
);

/** Time that a streamed body has left once the gateway closes. */
const UPLOAD_GRACE_MS = 2_000;
/** Connections open after this time are closed. The rest of the timeout in `server.ts` is for the database. */
const FORCE_CLOSE_MS = 5_000;
/** A turn of the event loop that took less was idle. */
const IDLE_TURN_MS = 0.05;
/** Answering hundreds of them takes a busy host more than a second. */
const MAX_IDLE_WAIT_MS = 3_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Begins draining: readiness fails, so load balancers send no more; requests are still answered. */
    drain: () => void;
    /** Aborted when draining begins. Long waits, such as for an import, end then. */
    draining: AbortSignal;
    /** Aborted when the grace time of uploads is over. */
    uploadDeadline: AbortSignal;
  }
}

/**
 * Shuts the gateway down: first it drains, then it closes. Meanwhile every response has
 * `Connection: close`. Otherwise a proxy could send a request on a connection that is being closed, and
 * the server would wait for clients' keep-alive connections.
 *
 * Register it before the plugins that take time to close: the times below count from the first `preClose` hook.
 */
export const drainPlugin = fp(
  async (app) => {
    const draining = new AbortController();
    const uploadDeadline = new AbortController();
    app.decorate('draining', draining.signal);
    app.decorate('uploadDeadline', uploadDeadline.signal);
    let keepIdleConnections = false;
    app.decorate('drain', () => {
      keepIdleConnections = app.deps.config.DRAIN_SECONDS > 0;
      draining.abort();
    });
    app.addHook('onSend', async (_request, reply) => {
      if (draining.signal.aborted) reply.header('connection', 'close');
    });
    app.addHook('preClose', async () => {
      draining.abort();
      setTimeout(() => uploadDeadline.abort(), UPLOAD_GRACE_MS).unref();
      setTimeout(() => app.server.closeAllConnections(), FORCE_CLOSE_MS).unref();
      if (!app.server.listening) return;
      await stopListening(app.server);
      // Does not close idle connections: a request may be on its way on one of them, unseen while the
      // host was stalled. Each ends with its next response, or when its client closes it.
      if (keepIdleConnections) app.server.closeIdleConnections = () => {};
    });
  },
  { name: 'drain' },
);

/**
 * Stops listening in an idle turn of the event loop, in which Node had no connection to accept: connections that the
 * kernel has accepted and Node has not are reset, with the requests already sent on them. Node accepts one in each
 * turn. The kernel's socket is closed directly: until `server.close` would, another turn's connections could come.
 */
async function stopListening(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void (accepted += 1);
  server.on('connection', count);
  const { _handle: handle } = server as Server & { _handle?: { close: () => void } | null };
  const startedAt = performance.now();
  for (let last = startedAt; ;) {
    const before = accepted;
    await setImmediate();
    const now = performance.now();
    const isIdle = accepted === before && now - last < IDLE_TURN_MS;
    if (isIdle || now - startedAt > MAX_IDLE_WAIT_MS) break;
    last = now;
  }
  handle?.close();
  server.off('connection', count);
}
