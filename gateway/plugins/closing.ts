import { setTimeout as sleep } from 'node:timers/promises';
import fp from 'fastify-plugin';

/** How long a body that is streamed may go on arriving once the gateway closes. */
const LAST_BYTES_MS = 2_000;

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
 */
export const closingPlugin = fp(
  async (app) => {
    const draining = new AbortController();
    const lastCall = new AbortController();
    app.decorate('draining', draining.signal);
    app.decorate('lastCall', lastCall.signal);
    app.decorate('drain', () => draining.abort());
    app.addHook('preClose', async () => {
      draining.abort();
      void sleep(LAST_BYTES_MS, undefined, { ref: false }).then(() => lastCall.abort());
    });
    app.addHook('onSend', async (_request, reply) => {
      if (draining.signal.aborted) reply.header('connection', 'close');
    });
  },
  { name: 'closing' },
);
