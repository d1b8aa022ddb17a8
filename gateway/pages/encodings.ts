import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** Best first: what a client takes equally gladly is sent as small as it goes. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A text in one encoding, as it goes over the wire. */
export interface Encoded {
  bytes: Buffer;
  etag: string;
}

/** A text in every encoding. */
export async function encodeAll(text: string): Promise<Record<Encoding, Encoded>> {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const [br, gzipped] = await Promise.all([
    withBrotli(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    withGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return {
    br: { bytes: br, etag: `"${hash}-br"` },
    gzip: { bytes: gzipped, etag: `"${hash}-gzip"` },
    identity: { bytes: plain, etag: `"${hash}"` },
  };
}

// Without a memory of its own: the header is anybody's, and there is no end to what it can say.
const negotiator = new Negotiator({ supportedValues: [...ENCODINGS] });

/** The encoding that a client wants by its Accept-Encoding. */
export function pickEncoding(header: string | undefined): Encoding {
  const wanted = header ? negotiator.negotiate(header) : null;
  return ENCODINGS.find((encoding) => encoding === wanted) ?? 'identity';
}

/** Whether If-None-Match names what would be sent, so that nothing has to be sent. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.some((tag) => tag === etag || tag === '*');
}
