import { isIP, isIPv6 } from 'node:net';

/** Clients without a valid address share this key and its limits. */
const UNKNOWN_ADDRESS = 'unknown';

/**
 * The key by which a client's address is rate limited: an IPv4 address itself, or the /56 network of an
 * IPv6 address. A /56 is the least that a provider gives a household, as RIPE-690 recommends. A customer
 * with a /48 counts as up to 256 clients; by /48, up to 256 households would count as one client.
 */
export function rateLimitAddress(ip: string): string {
  const address = ip.split('%')[0]!;
  if (!isIP(address)) return UNKNOWN_ADDRESS;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  const [a, b, c, d] = groups as [number, number, number, number];
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`;
}

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  // Normalizes an address with a dotted end, such as ::ffff:192.0.2.1, to groups.
  const normalized = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = normalized.split('::');
  const parts = [head, tail].map((part) => part.split(':').filter(Boolean));
  const [before = [], after = []] = parts;
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
}
