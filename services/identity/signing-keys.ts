import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';

/** How long fetched keys are used before they are fetched again. */
const RENEW_MS = 10 * 60_000;

export interface SigningKeys {
  getKey: JWTVerifyGetKey;
  /** Seconds since they were last fetched; until they were, since they were first wanted. */
  ageSeconds: () => number;
  /** Fetches them again, if it is time: so that their age tells whether they can be fetched. */
  renew: () => Promise<void>;
}

/** The public keys that the identity provider signs its tokens with. */
export function signingKeys(url: string): SigningKeys {
  const wantedAt = Date.now();
  let fetchedAt: number | undefined;
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: async (...request) => {
      const response = await fetch(...request);
      if (response.ok) fetchedAt = Date.now();
      return response;
    },
    cacheMaxAge: RENEW_MS,
  });
  return {
    getKey: keys,
    ageSeconds: () => (Date.now() - (fetchedAt ?? wantedAt)) / 1000,
    async renew() {
      if (Date.now() - (fetchedAt ?? 0) > RENEW_MS) await keys.reload();
    },
  };
}
