import { expect, test } from 'vitest';
import { rateLimitAddress } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
  ['2001:0DB8:0001:00ff::9', '2001:db8:1:0::/56'],
  ['2001:db8:1:100::9', '2001:db8:1:100::/56'],
  ['2001:db8:1:abcd::', '2001:db8:1:ab00::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['::', '0:0:0:0::/56'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['192.0.2.1:443', 'unknown'],
  ['unknown', 'unknown'],
  ['', 'unknown'],
])('client address %s is limited as %s', (ip, key) => {
  expect(rateLimitAddress(ip)).toBe(key);
});
