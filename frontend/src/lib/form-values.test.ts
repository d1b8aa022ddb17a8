import { expect, test } from 'vitest';
import { isEmail } from './form-values.ts';

test('an address that the API would refuse is not taken for one', () => {
  const addresses = ['kari@example.no', 'kari.n+quiz@post.example.co.uk', "o'neil@example.no"];
  expect(addresses.filter((text) => !isEmail(text))).toEqual([]);
  const others = ['', 'kari', 'kari@example', 'kari@example.', 'ka ri@example.no'];
  const quoted = ['"kari"@example.no', 'kari@[127.0.0.1]', 'kari@example..no', 'a@b@example.no'];
  expect([...others, ...quoted].filter((text) => isEmail(text))).toEqual([]);
});
