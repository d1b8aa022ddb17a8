import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { splitList, type WorkersConfig } from '@proveklar/services/config/config.ts';

export type OperatorsConfig = Pick<
  WorkersConfig,
  'OPERATORS_HOST' | 'OPERATORS_PORT' | 'OPERATORS_PASSWORD' | 'OPERATORS_NETWORKS'
>;

/** A request, as far as it says who asks. */
export interface Caller {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** Of the other end of the connection. */
  address: string;
}

/** A request with one of these was passed on for another client. */
const PASSED_ON = /^(forwarded|x-forwarded-.+|x-real-ip|via)$/;

/**
 * Makes the judge of who is let in without a password: this machine, and the networks that the
 * configuration names. Never a request that a proxy passed on, and never one under a name that a page
 * of the Internet could have had resolved to this address (DNS rebinding).
 */
export function createTrust({ OPERATORS_NETWORKS: networks }: OperatorsConfig) {
  const loopback = blockList(['127.0.0.0/8', '::1']);
  const trusted = blockList(splitList(networks ?? ''));
  return ({ headers, address }: Caller): boolean => {
    if (Object.keys(headers).some((name) => PASSED_ON.test(name))) return false;
    const name = hostName(headers.host);
    if (isIn(loopback, address)) return isIP(name) > 0 || /^(.+\.)?localhost$/.test(name);
    // A name without a dot, such as a service's in Docker, belongs to no host of the Internet.
    return isIn(trusted, address) && (isIP(name) > 0 || /^([^.]+|.+\.internal)$/.test(name));
  };
}

/**
 * Whether a page of another site made the browser send this. Reading needs no such look: no other
 * page may see the answer.
 */
export function isCrossSite({ method, headers }: Caller): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { origin, 'sec-fetch-site': site, host } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  return !URL.canParse(String(origin)) || new URL(String(origin)).host !== host;
}

/** Whether two texts are the same; how long it takes does not say how far they are. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The name in a Host header, without port or brackets; empty when there is none. */
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

/** A server on `::` sees its IPv4 callers as `::ffff:` addresses. */
function isIn(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
