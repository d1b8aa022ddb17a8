import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppError } from '#errors/app-error.ts';
import { createIdentityProvider } from './identity-provider.ts';
import type { PasswordPolicy } from './identity-toolkit.ts';
import { throwIfWeakPassword } from './password-rule.ts';

const OWNER = { email: 'kari.nordmann@example.no', username: 'Kari Nordmann' };

async function refusalOf(password: string, policy: PasswordPolicy | null = null) {
  const provider = { readPasswordPolicy: async () => policy };
  try {
    await throwIfWeakPassword(provider, password, OWNER);
    return null;
  } catch (error) {
    const { code, details } = error as AppError;
    expect(code).toBe('password_refused');
    return details;
  }
}

describe('refuses a password', () => {
  test.each<[string, string, object]>([
    ['with 7 characters', 'xk9!fqa', { reason: 'short', shortest: 8 }],
    // Each is one character and two UTF-16 code units.
    ['with 7 characters of two code units', '😀😃😄😁😆😅😂', { reason: 'short', shortest: 8 }],
    ['with 129 characters', 'xk9 '.repeat(33).slice(0, 129), { reason: 'long', longest: 128 }],
    ['that is common', '12345678', { reason: 'common' }],
    ['that is common in capitals', 'PassWord1', { reason: 'common' }],
    ['that is common in Norwegian', 'Passord123', { reason: 'common' }],
    ['that is a season with its year', 'Sommer2026', { reason: 'common' }],
    ['of one character', 'ååååååååå', { reason: 'common' }],
    ['that is the address', 'Kari.Nordmann@example.no', { reason: 'personal' }],
    ['that is the address before the @', 'kari.nordmann', { reason: 'personal' }],
    ['that is the name', 'kari nordmann', { reason: 'personal' }],
  ])('%s', async (_what, password, details) => {
    expect(await refusalOf(password)).toEqual(details);
  });

  test.each(['et godt passord', 'xk9!fqa2', 'kari nordmann liker ost', 'a'.repeat(127) + 'b'])(
    'but accepts %j',
    async (password) => {
      expect(await refusalOf(password)).toBeNull();
    },
  );

  test('that breaks the policy of the identity provider', async () => {
    const policy: PasswordPolicy = {
      minLength: 12,
      maxLength: 20,
      kinds: ['lowercase', 'uppercase', 'number', 'symbol'],
      symbols: '!?',
    };
    expect(await refusalOf('xk9!fqa2', policy)).toEqual({ reason: 'short', shortest: 12 });
    expect(await refusalOf('et godt passord', policy)).toEqual({
      reason: 'policy',
      kinds: ['uppercase', 'number', 'symbol'],
    });
    expect(await refusalOf('Et godt passord 1?', policy)).toBeNull();
    expect(await refusalOf('Et riktig godt passord 1?', policy)).toMatchObject({ reason: 'long' });
  });
});

test('a password policy that cannot be read refuses no password', async () => {
  const readPasswordPolicy = () => Promise.reject(new Error('no answer'));
  await throwIfWeakPassword({ readPasswordPolicy }, 'et godt passord', OWNER);
});

describe('the password policy of the identity provider', () => {
  async function policyWhere(status: number, body: unknown) {
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      requests.push([request.url, request.headers.referer]);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const provider = createIdentityProvider({
      projectId: 'demo-x',
      apiKey: 'key',
      page: 'https://proveklar.example.no',
      emulatorHost: `127.0.0.1:${port}`,
    });
    const policy = await provider.readPasswordPolicy();
    // Cached.
    expect(await provider.readPasswordPolicy()).toEqual(policy);
    const path = '/identitytoolkit.googleapis.com/v2/passwordPolicy?key=key';
    expect(requests).toEqual([[path, 'https://proveklar.example.no']]);
    return policy;
  }

  const enforced = {
    customStrengthOptions: {
      minPasswordLength: 10,
      containsUppercaseCharacter: true,
      containsNumericCharacter: false,
      containsNonAlphanumericCharacter: true,
    },
    allowedNonAlphanumericCharacters: ['!', '?'],
    enforcementState: 'ENFORCE',
    schemaVersion: 1,
  };

  test('is read when it is enforced', async () => {
    expect(await policyWhere(200, enforced)).toEqual({
      minLength: 10,
      maxLength: Infinity,
      kinds: ['uppercase', 'symbol'],
      symbols: '!?',
    });
  });

  test('is not taken for none when the provider refuses to show it', async () => {
    await expect(policyWhere(403, { error: { code: 403 } })).rejects.toThrow('403');
  });

  test.each<[string, number, unknown]>([
    ['it is not enforced', 200, { ...enforced, enforcementState: 'OFF' }],
    ['the provider has none', 501, { error: { code: 501 } }],
    ['it has another shape', 200, { enforcementState: 'ENFORCE' }],
  ])('is null where %s', async (_what, status, body) => {
    expect(await policyWhere(status, body)).toBeNull();
  });
});
