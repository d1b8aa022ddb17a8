import { readFileSync } from 'node:fs';
import { AppError } from '#errors/app-error.ts';
import type { CharacterKind, IdentityProvider, PasswordPolicy } from './identity-provider.ts';

/** In characters. OWASP ASVS 5, 6.2.1 and 6.2.9: at least 8, and 64 must be allowed. */
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 128;

/** Whose password it is. */
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
 * Refuses a password that is easily guessed, or that the identity provider would refuse later, when
 * money may have been paid. A policy that cannot be read is not known; the provider then has the last word.
 *
 * @throws AppError `password_refused`; details: `reason`, one of `short`, `long`, `common`, `personal` (it is
 *   the name or the address), `policy`, which has the `kinds` of characters that are missing
 */
export async function refuseWeakPassword(
  provider: Pick<IdentityProvider, 'readPasswordPolicy'>,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  // Told before the provider is asked: most of what is refused is refused for these.
  refuse(ownFault(password, owner));
  const policy = await provider.readPasswordPolicy().catch(() => null);
  if (policy) refuse(policyFault(password, policy));
}

type Fault =
  | { reason: 'short'; shortest: number }
  | { reason: 'long'; longest: number }
  | { reason: 'common' | 'personal' }
  | { reason: 'policy'; kinds: CharacterKind[] };

function refuse(fault: Fault | null): void {
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

function ownFault(password: string, { email, username = '' }: PasswordOwner): Fault | null {
  const { length } = Array.from(password);
  if (length < SHORTEST_PASSWORD) return { reason: 'short', shortest: SHORTEST_PASSWORD };
  if (length > LONGEST_PASSWORD) return { reason: 'long', longest: LONGEST_PASSWORD };
  const plain = plainOf(password);
  if (COMMON.has(plain) || new Set(plain).size === 1) return { reason: 'common' };
  const [localPart = ''] = email.split('@');
  if ([email, localPart, username].some((it) => plainOf(it) === plain))
    return { reason: 'personal' };
  return null;
}

function plainOf(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

function policyFault(password: string, policy: PasswordPolicy): Fault | null {
  const { length } = Array.from(password);
  if (length < policy.shortest) return { reason: 'short', shortest: policy.shortest };
  if (length > policy.longest) return { reason: 'long', longest: policy.longest };
  const has: Record<CharacterKind, boolean> = {
    lowercase: /[a-z]/.test(password),
    uppercase: /[A-Z]/.test(password),
    number: /[0-9]/.test(password),
    symbol: Array.from(password).some((character) => policy.symbols.includes(character)),
  };
  const kinds = policy.kinds.filter((kind) => !has[kind]);
  return kinds.length > 0 ? { reason: 'policy', kinds } : null;
}
