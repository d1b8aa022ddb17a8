import { BlockList, isIP } from 'node:net';

/** An address, or one with the length of its network. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return longest > 0 && (bits === undefined || Number(bits) <= longest);
}

const NETWORK = /^([^/]*)(?:\/(\d{1,3}))?$/;

/** No caller from the Internet has an address in these: RFC 1918, 6598, 3927, 4193, 4291. */
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

/** All of IPv4, written in IPv6. */
const MAPPED = ['::ffff:0:0', 96] as const;

/**
 * Whether networks are so large together that they are no proxies but the Internet, where anyone
 * writes the header that is believed.
 */
export function coverTooMuch(networks: readonly string[]): boolean {
  let shareOf4 = 0;
  let shareOf6 = 0;
  for (const text of networks) {
    const [, address = '', length] = NETWORK.exec(text) ?? [];
    const bits = Number(length ?? (isIP(address) === 6 ? 128 : 32));
    const network = [address, bits] as const;
    if (PRIVATE_NETWORKS.some((it) => isWithin(network, it))) continue;
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
