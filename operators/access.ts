import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { splitList, type WorkersConfig } from '@proveklar/services/config/config.ts';

export type OperatorsConfig = Pick<
  WorkersConfig,
  'OPERATORS_HOST' | 'OPERATORS_PORT' | 'OPERATORS_PASSWORD' | 'OPERATORS_NETWORKS'
>;

/** The parts of a request that identify its sender. */
interface Caller {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** Remote address of the connection. */
  address: string;
}

/** Headers that a proxy adds when it forwards a request of another client. */
const FORWARDING_HEADERS = /^(forwarded|x-forwarded-.+|x-real-ip|via)$/;

/**
 * Creates the check of who is let in without a password: this host, and the networks in
 * `OPERATORS_NETWORKS`. It trusts no request that a proxy forwarded, and none whose Host header is a
 * name that a web page could have resolved to this address (DNS rebinding).
 */
export function createTrustCheck({ OPERATORS_NETWORKS: networks }: OperatorsConfig) {
  const loopback = blockList(['127.0.0.0/8', '::1']);
  const trusted = blockList(splitList(networks ?? ''));
  return ({ headers, address }: Caller): boolean => {
    if (Object.keys(headers).some((name) => FORWARDING_HEADERS.test(name))) return false;
    const name = hostName(headers.host);
    if (isIn(loopback, address)) return isIP(name) > 0 || /^(.+\.)?localhost$/.test(name);
    // A name without a dot, such as a Docker service, is no public host name.
    return isIn(trusted, address) && (isIP(name) > 0 || /^([^.]+|.+\.internal)$/.test(name));
  };
}

/**
 * Whether a page of another site made the browser send this request (CSRF). GET and HEAD pass: the
 * same-origin policy keeps their answers from other pages.
 */
export function isCrossSite({ method, headers }: Caller): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { origin, 'sec-fetch-site': site, host } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  return !URL.canParse(String(origin)) || new URL(String(origin)).host !== host;
}

/** Compares two texts in constant time. */
export function isEqualInConstantTime(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}

/** The name in a Host header, without port and brackets; empty without a valid header. */
function hostName(host: string | string[] | undefined): string {
  const url = `http://${String(host)}`;
  if (typeof host !== 'string' || !URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** A server that listens on `::` sees IPv4 callers as `::ffff:` addresses. */
function isIn(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
