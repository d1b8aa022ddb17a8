import { signIn, type SetUps } from './set-up.ts';

/** What needs little: the account, the configuration, events, health. */
export const accountSetUps: SetUps = {
  'readAccount.active': (gateway) => signIn(gateway),
  'readAccount.without_service': (gateway) => signIn(gateway, 0),

  'readConfig.local': async ({ deps, identity, stripeUrl }) => ({
    real: {
      'demo-proveklar': deps.config.FIREBASE_PROJECT_ID,
      'http://127.0.0.1:9099': identity.url,
      'http://127.0.0.1:12111': stripeUrl,
    },
  }),

  'streamEvents.ready': (gateway) => signIn(gateway),

  'isLive.live': async () => ({}),
  'isReady.ready': async () => ({}),
};
