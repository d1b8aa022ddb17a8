import { BlockList, isIP } from 'node:net';

/** Whether a text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return maxBits > 0 && (bits === undefined || Number(bits) <= maxBits);
}

const NETWORK = /^([^/]*)(?:\/(\d{1,3}))?$/;

/** Private networks, from which no caller on the Internet comes: RFC 1918, 6598, 3927, 4193, 4291. */
const PRIVATE_NETWORKS = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const;

/** IPv4-mapped IPv6 addresses. */
const MAPPED = ['::ffff:0:0', 96] as const;

/**
 * Whether networks are together too large to be proxies. A network that covers much of the Internet would
 * let any client forge the trusted header.
 */
export function coverTooMuch(networks: readonly string[]): boolean {
  let shareOf4 = 0;
  let shareOf6 = 0;
  for (const text of networks) {
    const [, address = '', length] = NETWORK.exec(text) ?? [];
    const bits = Number(length ?? (isIP(address) === 6 ? 128 : 32));
    const network = [address, bits] as const;
    if (PRIVATE_NETWORKS.some((outer) => isWithin(network, outer))) continue;
    if (isIP(address) === 4) shareOf4 += 2 ** -bits;
    else if (isWithin(network, MAPPED)) shareOf4 += 2 ** (MAPPED[1] - bits);
    else if (isWithin(MAPPED, network)) shareOf4 += 1;
    else shareOf6 += 2 ** -bits;
  }
  return shareOf4 > 2 ** -8 || shareOf6 > 2 ** -16;
}

type Network = readonly [address: string, bits: number];

function isWithin([address, bits]: Network, [outer, outerBits]: Network): boolean {
  if (bits < outerBits || isIP(address) !== isIP(outer)) return false;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(outer, outerBits, family);
  return list.check(address, family);
}
