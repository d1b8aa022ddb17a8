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
