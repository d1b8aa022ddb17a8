import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const PROJECT = 'proveklar-bench';
export const ADMIN_EMAIL = 'admin@example.no';

/** An issuer of tokens with its own keys, which the gateway verifies as in production. */
export interface Identity {
  /** The URL of the keys: `IDENTITY_JWKS_URL`. */
  jwksUrl: string;
  /** A token that outlives the run. */
  tokenOf: (person: 'admin' | 'learner') => string;
  /** A token of another user, by the uid of the account. */
  tokenFor: (uid: string, email: string) => string;
  close: () => void;
}

const KEY_ID = 'bench';
const LIFETIME_S = 24 * 3600;

export async function startIdentity(): Promise<Identity> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tokenFor = (uid: string, email: string) => {
    const text = `${encode({ alg: 'RS256', kid: KEY_ID })}.${encode(claimsOf(uid, email))}`;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  };
  return {
    jwksUrl: `http://127.0.0.1:${port}/`,
    tokenOf: (person) =>
      tokenFor(`bench-${person}`, person === 'admin' ? ADMIN_EMAIL : 'kari@example.no'),
    tokenFor,
    close: () => server.close(),
  };
}

function claimsOf(uid: string, email: string) {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: uid,
    iat: now,
    auth_time: now,
    exp: now + LIFETIME_S,
    email,
    email_verified: true,
    firebase: { sign_in_provider: 'google.com' },
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
