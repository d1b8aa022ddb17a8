import { expect, test } from 'vitest';
import {
  hashOfCode,
  newCode,
  openSealedCodes,
  packetKeyOf,
  paymentOfKey,
  sealCodes,
} from './code.ts';

const PAYMENT = '019bc0dd-7e02-7b44-9d3a-1c8f5a60e2b7';

test('a code has 16 characters in groups, none of which is misread, and no two are equal', () => {
  const codes = Array.from({ length: 1_000 }, newCode);
  expect(
    codes.filter((code) => !/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/.test(code)),
  ).toEqual([]);
  expect(new Set(codes).size).toBe(1_000);
  // Of 32 characters each occurs, or the codes have fewer than 80 random bits.
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
});

test('a code is found however it is typed', () => {
  const hash = hashOfCode('0A1B-2C3D-4E5F-6G7H');
  expect(hash).toHaveLength(32);
  for (const typed of ['0a1b2c3d4e5f6g7h', ' oaib 2c3d 4e5f 6g7h ', 'OALB–2C3D—4E5F-6G7H']) {
    expect(hashOfCode(typed), typed).toEqual(hash);
  }
});

test.each([
  '',
  '0A1B-2C3D-4E5F-6G7',
  '0A1B-2C3D-4E5F-6G7HH',
  'UUUU-UUUU-UUUU-UUUU',
  '💥'.repeat(16),
])('a text that is no code has no hash: %s', (typed) => {
  expect(hashOfCode(typed)).toBeNull();
});

test('sealed codes are opened only with their key and for their packet', () => {
  const codes = [newCode(), newCode()];
  const sealed = sealCodes('secret', PAYMENT, codes);
  expect(openSealedCodes('secret', PAYMENT, sealed)).toEqual(codes);
  expect(sealed.toString('utf8')).not.toContain(codes[0]);
  expect(() => openSealedCodes('other', PAYMENT, sealed)).toThrow('authenticate');
  expect(() => openSealedCodes('secret', crypto.randomUUID(), sealed)).toThrow('authenticate');
});

test('the key to a packet leads to its payment, and a changed one to none', () => {
  const key = packetKeyOf('secret', PAYMENT);
  expect(paymentOfKey('secret', key)).toBe(PAYMENT);
  expect(paymentOfKey('other', key)).toBeNull();
  expect(paymentOfKey('secret', `${crypto.randomUUID()}${key.slice(36)}`)).toBeNull();
  expect(paymentOfKey('secret', key.slice(0, -1))).toBeNull();
  expect(paymentOfKey('secret', PAYMENT)).toBeNull();
});
