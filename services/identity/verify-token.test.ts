import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTokenVerifier } from './verify-token.ts';

const PROJECT = 'the-project';
const ISSUER = `https://securetoken.google.com/${PROJECT}`;
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let stranger: { privateKey: CryptoKey };
let jwks: Server;
let jwksUrl: string;

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  stranger = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  jwks = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((listening) => {
    jwks.listen(0, '127.0.0.1', listening);
  });
  jwksUrl = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/`;
});
afterAll(() => jwks.close());
afterEach(() => vi.useRealTimers());

const now = () => Math.floor(Date.now() / 1000);
const claims = (change: object = {}) => ({
  iss: ISSUER,
  aud: PROJECT,
  sub: 'uid-1',
  iat: now(),
  exp: now() + 3600,
  auth_time: now(),
  email: 'Kari@Example.no',
  email_verified: true,
  firebase: { sign_in_provider: 'google.com' },
  ...change,
});
const sign = (change: object = {}, key = keys.privateKey, kid = 'one') =>
  new SignJWT(claims(change)).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

const verifier = (acceptUnsigned = false) =>
  createTokenVerifier({ projectId: PROJECT, jwksUrl, acceptUnsigned });

describe('an ID token', () => {
  test('of our project is verified and decoded', async () => {
    const [iat, exp] = [now(), now() + 1800];
    const auth_time = iat - 60;
    expect(await verifier()(await sign({ iat, exp, auth_time }))).toEqual({
      uid: 'uid-1',
      email: 'kari@example.no',
      emailVerified: true,
      signInProvider: 'google.com',
      displayName: null,
      signedInAt: auth_time * 1000,
      tokenIssuedAt: iat * 1000,
      tokenExpiresAt: exp * 1000,
    });
  });

  test('of an address that would become another one in lower case is rejected', async () => {
    const email = '\u212Aari@example.no';
    expect(email.toLowerCase()).toBe('kari@example.no');
    await expect(verifier()(await sign({ email }))).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });

  test('of a sign-in ten minutes ahead of our clock is verified', async () => {
    const at = now() + 600;
    const token = await sign({ auth_time: at, iat: at, exp: at + 3600 });
    expect(await verifier()(token)).toMatchObject({ uid: 'uid-1', signedInAt: at * 1000 });
  });

  test('that was verified is not verified again, and is refused once it has expired', async () => {
    const verify = verifier();
    const [token, short] = await Promise.all([sign(), sign({ exp: now() + 1 })]);
    const first = await verify(token);
    expect(await verify(token)).toBe(first);
    expect(await verify(short)).toMatchObject({ uid: 'uid-1' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect(await verify(token)).toBe(first);
    await expect(verify(short)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test.each([
    ['expired', { exp: now() - 60 }],
    ['without expiry', { exp: undefined }],
    ['without time of issue', { iat: undefined }],
    ['of another project', { aud: 'other', iss: 'https://securetoken.google.com/other' }],
    ['of another issuer', { iss: 'https://example.no' }],
    ['of a sign-in in the future', { auth_time: now() + 3600 }],
    ['without a user', { sub: '' }],
    ['without an address', { email: undefined }],
    ['without a provider', { firebase: {} }],
  ])('%s is rejected', async (_name, change) => {
    const token = await sign(change);
    await expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('signed by another or an unknown key is rejected', async () => {
    for (const kid of ['one', 'two']) {
      const token = await sign({}, stranger.privateKey, kid);
      await expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });
    }
  });

  test('signed with the public key as a shared secret is rejected', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    await expect(verifier()(token)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('without a signature is accepted from the emulator only', async () => {
    const unsigned = new UnsecuredJWT(claims()).encode();
    await expect(verifier()(unsigned)).rejects.toMatchObject({ code: 'token_invalid' });
    expect(await verifier(true)(unsigned)).toMatchObject({ uid: 'uid-1' });
    const foreign = new UnsecuredJWT(claims({ aud: 'other' })).encode();
    const old = new UnsecuredJWT(claims({ exp: now() - 60 })).encode();
    for (const token of [foreign, old, 'rubbish', '']) {
      await expect(verifier(true)(token)).rejects.toMatchObject({ code: 'token_invalid' });
    }
  });
});
