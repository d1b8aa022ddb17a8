import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import Compile from 'typebox/compile';
import { AppError } from '#errors/app-error.ts';

const GOOGLE_JWKS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

const Claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 128 }),
  email: Type.String({ minLength: 3 }),
  email_verified: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
  auth_time: Type.Integer(),
  iat: Type.Number(),
  exp: Type.Number(),
  firebase: Type.Object({ sign_in_provider: Type.String() }),
});
const claimsValidator = Compile(Claims);

interface TokenVerifierOptions {
  projectId: string;
  /** The URL of the signing keys; Google's by default. */
  jwksUrl?: string | undefined;
  /** Accepts the emulator's unsigned tokens. The configuration forbids this in production. */
  acceptUnsigned: boolean;
}

/**
 * How long a verified token is not verified again: a learner sends the same one with each answer of an hour. A key
 * that was withdrawn is trusted so much longer at most. Whether the account is disabled, or the session was ended,
 * is asked of the database for each call.
 */
const KEPT_MS = 5 * 60_000;
/** Characters of all kept tokens. Google's have about 1,000. */
const MAX_KEPT = 10_000_000;

export interface VerifyToken {
  (token: string): Promise<VerifiedIdentity>;
  keys: {
    /** As in `SigningKeys`; null with an emulator, which needs no keys and no network. */
    ageSeconds: () => number | null;
    refresh: () => Promise<void>;
  };
}

/**
 * Creates the function that verifies Firebase ID tokens: signature (RS256), issuer, audience, expiry
 * and a sign-in time in the past.
 * Rules: https://firebase.google.com/docs/auth/admin/verify-id-tokens
 *
 * The function throws AppError `token_invalid`, or `unavailable` while the keys cannot be fetched.
 */
export function createTokenVerifier(options: TokenVerifierOptions): VerifyToken {
  const keys = signingKeys(options.jwksUrl ?? GOOGLE_JWKS_URL);
  const verified = new LRUCache<string, VerifiedIdentity>({
    maxSize: MAX_KEPT,
    sizeCalculation: (_identity, token) => token.length,
    ttl: KEPT_MS,
  });
  const verify = async (token: string): Promise<VerifiedIdentity> => {
    const known = verified.get(token);
    if (known && known.tokenExpiresAt > Date.now()) return known;
    try {
      const claims: unknown = await readClaims(token, keys.getKey, options);
      const identity = Object.freeze(toIdentity(claims));
      verified.set(token, identity);
      return identity;
    } catch (cause) {
      throw new AppError(isOutage(cause) ? 'unavailable' : 'token_invalid', { cause });
    }
  };
  const noKeys = { ageSeconds: () => null, refresh: async () => {} };
  return Object.assign(verify, { keys: options.acceptUnsigned ? noKeys : keys });
}

/** @throws Error for claims that are not those of a sign-in */
function toIdentity(claims: unknown): VerifiedIdentity {
  if (!claimsValidator.Check(claims)) throw new Error('A claim is missing');
  if (claims.auth_time > Date.now() / 1000 + MAX_CLOCK_BEHIND_S) throw new Error('auth_time');
  return {
    uid: claims.sub,
    email: addressOf(claims.email),
    emailVerified: claims.email_verified === true,
    signInProvider: claims.firebase.sign_in_provider,
    displayName: claims.name ?? null,
    signedInAt: claims.auth_time * 1000,
    tokenIssuedAt: claims.iat * 1000,
    tokenExpiresAt: claims.exp * 1000,
  };
}

/**
 * What no address has: spaces, control characters and characters without a width. And the Kelvin sign, the only
 * letter outside of ASCII that lower case makes one of ASCII, a "k".
 */
const NOT_IN_ADDRESSES = /[\s\p{C}\u212A]/u;

/** @throws Error for an address that cannot be, or would be taken for another one */
function addressOf(email: string): string {
  if (NOT_IN_ADDRESSES.test(email)) throw new Error('email');
  return email.toLowerCase();
}

/** The keys could not be fetched: not the caller's fault, and signing in again would not help. */
function isOutage(cause: unknown): boolean {
  const fetchFailed = cause instanceof TypeError && cause.message === 'fetch failed';
  return fetchFailed || cause instanceof errors.JWKSTimeout;
}

/**
 * How far our clock may be behind Google's, by which a learner has just signed in. The signature proves the time;
 * a gateway whose clock is slow must not refuse new sign-ins.
 */
const MAX_CLOCK_BEHIND_S = 15 * 60;

/** Allowed difference between our clock and Google's at the end of a token. Too small to matter for access. */
const CLOCK_TOLERANCE_S = 10;

async function readClaims(
  token: string,
  keys: JWTVerifyGetKey,
  { projectId, acceptUnsigned }: TokenVerifierOptions,
): Promise<JWTPayload> {
  const expected = { issuer: `https://securetoken.google.com/${projectId}`, audience: projectId };
  if (acceptUnsigned && decodeProtectedHeader(token).alg === 'none') {
    return checkUnsigned(decodeJwt(token), expected);
  }
  const { payload } = await jwtVerify(token, keys, {
    ...expected,
    algorithms: ['RS256'],
    clockTolerance: CLOCK_TOLERANCE_S,
  });
  return payload;
}

function checkUnsigned(
  payload: JWTPayload,
  expected: { issuer: string; audience: string },
): JWTPayload {
  const expired = (payload.exp ?? 0) < Date.now() / 1000 - CLOCK_TOLERANCE_S;
  if (payload.iss !== expected.issuer || payload.aud !== expected.audience || expired) {
    throw new Error('The token is for another project or has expired');
  }
  return payload;
}

/** The user of a verified ID token. It proves neither a payment nor ownership of the address. */
export interface VerifiedIdentity {
  /** The identity provider's id of the user. */
  uid: string;
  /** Lower case. */
  email: string;
  emailVerified: boolean;
  /** `password`, `google.com`, … */
  signInProvider: string;
  displayName: string | null;
  /** The last sign-in, in milliseconds since 1970. A fresh token may stem from an old sign-in. */
  signedInAt: number;
  /** Milliseconds since 1970. The token's claims are as of this time. */
  tokenIssuedAt: number;
  /** Milliseconds since 1970. Anything that outlasts a request must check it. */
  tokenExpiresAt: number;
}

/** Whether Google has verified that the address is the user's own. */
export function provesAddress(identity: VerifiedIdentity): boolean {
  return identity.emailVerified && identity.signInProvider === 'google.com';
}

/** How long fetched keys are cached. */
const KEYS_CACHE_MS = 10 * 60_000;

interface SigningKeys {
  getKey: JWTVerifyGetKey;
  /** Seconds since the last fetch, or since the start when there was none. */
  ageSeconds: () => number;
  /** Fetches the keys again when the cache has expired, so that their age shows a failing fetch. */
  refresh: () => Promise<void>;
}

/** The public keys of the identity provider's token signatures. */
function signingKeys(url: string): SigningKeys {
  const startedAt = Date.now();
  let fetchedAt: number | undefined;
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: async (...request) => {
      const response = await fetch(...request);
      if (response.ok) fetchedAt = Date.now();
      return response;
    },
    cacheMaxAge: KEYS_CACHE_MS,
  });
  return {
    getKey: keys,
    ageSeconds: () => (Date.now() - (fetchedAt ?? startedAt)) / 1000,
    async refresh() {
      if (Date.now() - (fetchedAt ?? 0) > KEYS_CACHE_MS) await keys.reload();
    },
  };
}
