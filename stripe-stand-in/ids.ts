import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` random letters and digits, which cannot be guessed. */
export function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHABET[randomInt(ALPHABET.length)];
  return text;
}

type Prefix =
  | 'pi'
  | 'ch'
  | 'pm'
  | 'tok'
  | 'card'
  | 'evt'
  | 'txn'
  | 're'
  | 'du'
  | 'src'
  | 'req'
  | 'we'
  | 'pmd';

/** An id in Stripe's form, for example `pi_3…`: the prefix is the type of the object. */
export function newId(prefix: Prefix): string {
  return prefix === 'req' ? `req_${randomText(14)}` : `${prefix}_3${randomText(23)}`;
}

/** The time in Stripe's unit: whole seconds since 1970. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
