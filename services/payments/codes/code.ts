import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

// The codes of a packet, and the two secrets of their buyer (docs/decisions/0040-codes-are-sealed-until-kept.md).

/** Crockford's base 32: no I, L, O or U, which are misread. https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 16 characters of 5 bits: 80 random bits. */
const LENGTH = 16;

/** For so long no other address can register with a code; longer than the calls to the identity provider take. */
export const RESERVED_MS = 10 * 60 * 1000;

/** A new random code, as it is shown: `7K3D-9QZX-04MW-TR5H`. */
export function newCode(): string {
  const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte & 31]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}

/**
 * The hash under which a code is stored. A typed code may have small letters, spaces, other dashes or none, and the letters
 * that look like digits. A code has too many bits to be found by trying, so the hash needs neither salt nor cost.
 *
 * @returns null for a text that is no code
 */
export function hashOfCode(typed: string): Buffer | null {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Dash_Punctuation}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const isCode = code.length === LENGTH && new RegExp(`^[${ALPHABET}]+$`).test(code);
  return isCode ? createHash('sha256').update(code).digest() : null;
}

// Both keys are derived from the key of the withdrawal hashes, which must not change either.
const keyFor = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `code-packet ${purpose}`, 32));

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts the codes of a packet (AES-256-GCM). */
export function sealCodes(secret: string, paymentId: string, codes: readonly string[]): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, 'codes'), iv);
  cipher.setAAD(Buffer.from(paymentId));
  const sealed = Buffer.concat([cipher.update(codes.join('\n'), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts what `sealCodes` encrypted. Throws for another key or packet. */
export function openSealedCodes(secret: string, paymentId: string, sealed: Buffer): string[] {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, 'codes'), iv);
  decipher.setAAD(Buffer.from(paymentId));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const rest = sealed.subarray(IV_BYTES + TAG_BYTES);
  return `${decipher.update(rest, undefined, 'utf8')}${decipher.final('utf8')}`.split('\n');
}

/** The key to a packet's page: `<payment id>.<MAC>`. It is derived, so that a mail that is sent again has the same. */
export function packetKeyOf(secret: string, paymentId: string): string {
  const mac = createHmac('sha256', keyFor(secret, 'page')).update(paymentId).digest('base64url');
  return `${paymentId}.${mac}`;
}

/** The payment of a packet's key; null for a wrong key. */
export function paymentOfKey(secret: string, key: string): string | null {
  const paymentId = key.slice(0, key.indexOf('.'));
  const [right, given] = [packetKeyOf(secret, paymentId), key].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return timingSafeEqual(right!, given!) ? paymentId : null;
}
