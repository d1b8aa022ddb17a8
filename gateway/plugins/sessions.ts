import fp from 'fastify-plugin';
import { endOutsideSessions } from '@proveklar/services/accounts/sessions.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';

declare module 'fastify' {
  interface FastifyInstance {
    sessions: {
      /** Takes down who has called, for the next look. */
      note: (identity: Pick<VerifiedIdentity, 'uid' | 'signedInAt'>) => void;
      /** Looks what the sign-in service says of those who have called since the last look. */
      look: () => Promise<void>;
    };
  }
}

/**
 * Finds sessions that were ended at the sign-in service without us. No request waits for that: callers are
 * noted, and every `SESSION_CHECK_SECONDS` all of them are looked up, a hundred in a call, with
 * those who have live updates open.
 */
export const sessionsPlugin = fp(
  async (app) => {
    const { deps } = app;
    let noted = new Map<string, number>();
    let looking: Promise<void> | undefined;

    function note({ uid, signedInAt }: Pick<VerifiedIdentity, 'uid' | 'signedInAt'>): void {
      noted.set(uid, Math.min(signedInAt, noted.get(uid) ?? signedInAt));
    }

    async function look(): Promise<void> {
      for (const identity of app.live.identities()) note(identity);
      const sessions = noted;
      noted = new Map();
      try {
        await endOutsideSessions(deps, sessions);
      } catch (error) {
        app.log.warn({ err: error }, 'sessions could not be looked up; the next look tries again');
        for (const [uid, signedInAt] of sessions) note({ uid, signedInAt });
      }
    }

    app.decorate('sessions', { note, look });
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      timer = setInterval(() => {
        looking ??= look().finally(() => (looking = undefined));
      }, deps.config.SESSION_CHECK_SECONDS * 1000);
    });
    app.addHook('preClose', async () => {
      clearInterval(timer);
      await looking;
    });
  },
  { name: 'sessions' },
);
