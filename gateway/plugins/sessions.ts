import fp from 'fastify-plugin';
import { endOutsideSessions } from '@proveklar/services/accounts/sessions.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';

declare module 'fastify' {
  interface FastifyInstance {
    sessions: {
      /** Remembers a caller for the next check. */
      track: (identity: Pick<VerifiedIdentity, 'uid' | 'signedInAt'>) => void;
      /** Checks the sessions of all callers since the last check at the identity provider. */
      check: () => Promise<void>;
    };
  }
}

/** The provider may take longer to answer than a closing gateway has. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Finds sessions that were revoked at the identity provider, outside this service. No request waits for
 * it: callers are tracked, and every `SESSION_CHECK_SECONDS` all of them, and the clients of live streams,
 * are looked up, 100 in a call.
 */
export const sessionsPlugin = fp(
  async (app) => {
    const { deps } = app;
    let callers = new Map<string, number>();
    let checking: Promise<void> | undefined;

    function track({ uid, signedInAt }: Pick<VerifiedIdentity, 'uid' | 'signedInAt'>): void {
      callers.set(uid, Math.min(signedInAt, callers.get(uid) ?? signedInAt));
    }

    async function check(): Promise<void> {
      for (const identity of app.live.identities()) track(identity);
      const sessions = callers;
      callers = new Map();
      try {
        await endOutsideSessions(deps, sessions);
      } catch (error) {
        app.log.warn({ err: error }, 'could not check sessions; the next check retries');
        for (const [uid, signedInAt] of sessions) track({ uid, signedInAt });
      }
    }

    app.decorate('sessions', { track, check });
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      timer = setInterval(() => {
        checking ??= check().finally(() => (checking = undefined));
      }, deps.config.SESSION_CHECK_SECONDS * 1000);
    });
    app.addHook('preClose', async () => {
      clearInterval(timer);
      if (checking) await tryWithTimeout(CLOSE_TIMEOUT_MS, checking);
    });
  },
  { name: 'sessions' },
);
