import { isIP, isIPv6 } from 'node:net';

/** All whose address a proxy could not tell share this one, and its limits. */
const UNKNOWN = 'unknown';

/**
 * What a client's address counts as: an IPv4 address as itself, an IPv6 address as its /56, which is
 * what network providers give a household at least, as RIPE-690 recommends. A customer with a /48 counts
 * as up to 256 clients; counted by /48, up to 256 households would count as one.
 */
export function countedAddress(ip: string): string {
  const address = ip.split('%')[0]!;
  if (!isIP(address)) return UNKNOWN;
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

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  // An address with a dotted end, like ::ffff:192.0.2.1, is written in groups by this.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = written.split('::');
  const parts = [head, tail].map((part) => part.split(':').filter(Boolean));
  const [before = [], after = []] = parts;
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
}
