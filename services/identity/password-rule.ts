import { readFileSync } from 'node:fs';
import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { CharacterKind, PasswordPolicy } from './identity-toolkit.ts';

/** In characters. OWASP ASVS 5, 6.2.1 and 6.2.9: at least 8, and 64 must be allowed. */
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

export interface PasswordOwner {
  email: string;
  username?: string | undefined;
}

const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

/**
 * Rejects a password that is easy to guess, or that the identity provider would reject later, perhaps
 * after a payment. When the provider's policy cannot be read, only our own rules apply here.
 *
 * @throws AppError `password_refused`; details: `reason`, one of `short`, `long`, `common`, `personal` (it
 *   equals the name or the address), `policy`, which has the `kinds` of characters that are missing
 */
export async function throwIfWeakPassword(
  provider: Pick<IdentityProvider, 'readPasswordPolicy'>,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  // Our rules first: they reject most passwords without a call to the provider.
  throwIfFault(findFault(password, owner));
  const policy = await provider.readPasswordPolicy().catch(() => null);
  if (policy) throwIfFault(findPolicyFault(password, policy));
}

type Fault =
  | { reason: 'short'; shortest: number }
  | { reason: 'long'; longest: number }
  | { reason: 'common' | 'personal' }
  | { reason: 'policy'; kinds: CharacterKind[] };

function throwIfFault(fault: Fault | null): void {
  if (!fault) return;
  throw new AppError('password_refused', { message: MESSAGES[fault.reason], details: fault });
}

const MESSAGES: Record<Fault['reason'], string> = {
  short: 'The password is too short. Choose a longer one.',
  long: 'The password is too long. Choose a shorter one.',
  common: 'Many people have this password. Choose another one.',
  personal: 'The password is your name or your email address. Choose another one.',
  policy: 'The password lacks a kind of character. Add what is missing.',
};

function findFault(password: string, { email, username = '' }: PasswordOwner): Fault | null {
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) return { reason: 'short', shortest: MIN_PASSWORD_LENGTH };
  if (length > MAX_PASSWORD_LENGTH) return { reason: 'long', longest: MAX_PASSWORD_LENGTH };
  const normalized = normalize(password);
  if (COMMON.has(normalized) || new Set(normalized).size === 1) return { reason: 'common' };
  const [localPart = ''] = email.split('@');
  if ([email, localPart, username].some((personal) => normalize(personal) === normalized))
    return { reason: 'personal' };
  return null;
}

function normalize(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

function findPolicyFault(password: string, policy: PasswordPolicy): Fault | null {
  const { length } = Array.from(password);
  if (length < policy.minLength) return { reason: 'short', shortest: policy.minLength };
  if (length > policy.maxLength) return { reason: 'long', longest: policy.maxLength };
  const has: Record<CharacterKind, boolean> = {
    lowercase: /[a-z]/.test(password),
    uppercase: /[A-Z]/.test(password),
    number: /[0-9]/.test(password),
    symbol: Array.from(password).some((character) => policy.symbols.includes(character)),
  };
  const kinds = policy.kinds.filter((kind) => !has[kind]);
  return kinds.length > 0 ? { reason: 'policy', kinds } : null;
}
