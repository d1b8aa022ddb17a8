import fp from 'fastify-plugin';
import { accountOf } from '@proveklar/services/accounts/account.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { listenLive, type LiveListener } from '@proveklar/services/live/listen.ts';
import { LiveAudience } from './live-audience.ts';
import type { LiveClient } from './live-stream.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Who is told that something changed. */
    live: LiveAudience;
  }
}

const BEAT_MS = 15_000;

/** Hears on one connection what the workers tell, and tells it on to the clients. */
export const livePlugin = fp(
  async (app) => {
    const { db, config } = app.deps;
    const onError = (error: unknown) => app.log.warn({ err: error }, 'live updates');

    async function mayListen({ identity }: LiveClient): Promise<boolean> {
      try {
        await accountOf(db, identity);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        // Only the database knows, and it is away. A hint gives nothing away.
        onError(error);
        return true;
      }
    }

    const audience = new LiveAudience({ mayListen });
    app.decorate('live', audience);

    let listener: LiveListener | undefined;
    let beating: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      beating = setInterval(() => audience.beat(), BEAT_MS);
      listener = listenLive({
        databaseUrl: config.DATABASE_URL,
        applicationName: 'gateway-live',
        onMessages: (messages) => void audience.tell(messages).catch(onError),
        onResync: () => audience.resync(),
        onError,
      });
    });
    // Before the server waits for its connections, which would otherwise be for as long as they last.
    app.addHook('preClose', async () => {
      clearInterval(beating);
      audience.close();
      await listener?.close();
    });
  },
  { name: 'live' },
);
