import { Type } from 'typebox';
import Value from 'typebox/value';
import { AppError } from '#errors/app-error.ts';

// Calls with the web API key, as every browser may make them: what the server SDK of Firebase does not do.

/** Of a call to the provider. */
export const TIMEOUT_MS = 10_000;
/** Short, because a learner waits for it before the payment. */
const POLICY_TIMEOUT_MS = 2_000;

export interface IdentityToolkitOptions {
  apiKey: string;
  /** The site's address, which the calls with the key name: a key may be restricted to websites. */
  page?: string | undefined;
  emulatorHost?: string | undefined;
}

/** A kind of character that the provider may require in a password. */
export type CharacterKind = 'lowercase' | 'uppercase' | 'number' | 'symbol';

/** The provider's rules for a new password. */
export interface PasswordPolicy {
  minLength: number;
  maxLength: number;
  kinds: CharacterKind[];
  /** What counts as a symbol. */
  symbols: string;
}

/**
 * Makes the provider mail a link by its public REST call. The server SDK only creates the link.
 *
 * @returns the reason for which the provider refuses; null when it was mailed
 * @throws AppError `identity_provider_failed` when there was no answer
 */
export async function sendLink(
  body: object,
  options: IdentityToolkitOptions,
  language: string,
): Promise<string | null> {
  const response = await fetch(identityToolkitUrl(options, 'accounts:sendOobCode'), {
    method: 'POST',
    headers: {
      ...pageHeader(options),
      'content-type': 'application/json',
      'x-firebase-locale': language,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new AppError('identity_provider_failed', { cause });
  });
  if (response.ok) return null;
  const answer = (await response.json().catch(() => null)) as {
    error?: { message?: string };
  } | null;
  // An error code, sometimes followed by an explanation.
  return answer?.error?.message?.split(' ')[0] ?? `status ${response.status}`;
}

/** The fields that the provider's own browser library reads. */
const Policy = Type.Object({
  enforcementState: Type.Optional(Type.String()),
  allowedNonAlphanumericCharacters: Type.Optional(Type.Array(Type.String())),
  customStrengthOptions: Type.Object({
    minPasswordLength: Type.Optional(Type.Integer()),
    maxPasswordLength: Type.Optional(Type.Integer()),
    containsLowercaseCharacter: Type.Optional(Type.Boolean()),
    containsUppercaseCharacter: Type.Optional(Type.Boolean()),
    containsNumericCharacter: Type.Optional(Type.Boolean()),
    containsNonAlphanumericCharacter: Type.Optional(Type.Boolean()),
  }),
});

/**
 * The provider's rules for a new password; null when it requires nothing beyond our own. The emulator has none (501).
 * https://cloud.google.com/identity-platform/docs/password-policy
 *
 * @throws when there was no answer
 */
export async function readPasswordPolicy(
  options: IdentityToolkitOptions,
): Promise<PasswordPolicy | null> {
  const url = identityToolkitUrl(options, 'passwordPolicy', 'v2');
  const response = await fetch(url, {
    headers: pageHeader(options),
    signal: AbortSignal.timeout(POLICY_TIMEOUT_MS),
  });
  if (response.status === 501) return null;
  if (!response.ok) throw new Error(`passwordPolicy answered ${response.status}`);
  const policy: unknown = await response.json();
  if (!Value.Check(Policy, policy)) return null;
  if (policy.enforcementState !== 'ENFORCE') return null;
  const { customStrengthOptions: rules } = policy;
  const kinds = [
    rules.containsLowercaseCharacter && ('lowercase' as const),
    rules.containsUppercaseCharacter && ('uppercase' as const),
    rules.containsNumericCharacter && ('number' as const),
    rules.containsNonAlphanumericCharacter && ('symbol' as const),
  ].filter((kind) => kind !== undefined && kind !== false);
  return {
    minLength: rules.minPasswordLength ?? 0,
    maxLength: rules.maxPasswordLength ?? Infinity,
    kinds,
    symbols: (policy.allowedNonAlphanumericCharacters ?? []).join(''),
  };
}

/** Names the site to a call with the web API key, as the browser's library does. */
export const pageHeader = ({ page }: IdentityToolkitOptions): Record<string, string> =>
  page ? { referer: page } : {};

/** The URL of a call that every browser may make with the web API key. */
export function identityToolkitUrl(
  options: IdentityToolkitOptions,
  call: string,
  version: 'v1' | 'v2' = 'v1',
): string {
  const origin = options.emulatorHost
    ? `http://${options.emulatorHost}/identitytoolkit.googleapis.com`
    : 'https://identitytoolkit.googleapis.com';
  return `${origin}/${version}/${call}?key=${encodeURIComponent(options.apiKey)}`;
}
