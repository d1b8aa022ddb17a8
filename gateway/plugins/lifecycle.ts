import { setImmediate } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { startHeartbeat } from '@proveklar/services/database/processes.ts';

/** Lets the gateway say that it runs, as long as it takes requests. */
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

/** How long a body that is streamed may go on arriving once the gateway closes. */
const LAST_BYTES_MS = 2_000;
/** By then all who have asked are answered, or never will be. */
const LAST_ANSWER_MS = 5_000;
const QUIET_MS = 0.1;
const LONGEST_WAIT_MS = 1_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on whoever balances is told to send nothing more here; what comes is still answered. */
    drain: () => void;
    /** Aborted when draining begins: who waits for something else than the database waits no more. */
    draining: AbortSignal;
    /** Aborted when the time for long bodies is over. */
    lastCall: AbortSignal;
  }
}

/**
 * How the gateway ends: first it drains, then it closes. In both, every answer ends its connection.
 * Otherwise a proxy would send a request on one that is being closed, and the server would wait for
 * connections that clients keep for their next request.
 *
 * Register it after all that is done before closing: it is to be the last.
 */
export const closingPlugin = fp(
  async (app) => {
    const draining = new AbortController();
    const lastCall = new AbortController();
    app.decorate('draining', draining.signal);
    app.decorate('lastCall', lastCall.signal);
    let keepsIdle = false;
    app.decorate('drain', () => {
      keepsIdle = app.deps.config.DRAIN_SECONDS > 0;
      draining.abort();
    });
    app.addHook('onSend', async (_request, reply) => {
      if (draining.signal.aborted) reply.header('connection', 'close');
    });
    app.addHook('preClose', async () => {
      draining.abort();
      setTimeout(() => lastCall.abort(), LAST_BYTES_MS).unref();
      setTimeout(() => app.server.closeAllConnections(), LAST_ANSWER_MS).unref();
      if (!app.server.listening) return;
      await quietMoment();
      // A request may be on its way on a connection that was idle all the while: a machine that stood
      // still has not seen what the proxy sent. Each ends with its next answer, or when its client ends it.
      if (keepsIdle) app.server.closeIdleConnections = () => {};
    });
  },
  { name: 'closing' },
);

/**
 * Waits for a turn of the event loop in which nothing came. A connection that the system has taken for
 * us and we have not, is cut off when we stop listening, with the request that was already sent on it.
 */
async function quietMoment(): Promise<void> {
  const begun = performance.now();
  for (let last = begun; ;) {
    await setImmediate();
    const now = performance.now();
    if (now - last < QUIET_MS || now - begun > LONGEST_WAIT_MS) return;
    last = now;
  }
}
