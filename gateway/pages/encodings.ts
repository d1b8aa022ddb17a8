import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';

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

/**
 * A text in every encoding.
 *
 * @param quality Brotli's, up to 11; 9 takes a small part of that time, and is a tenth larger
 */
export async function encodeAll(
  text: string,
  quality = constants.BROTLI_MAX_QUALITY,
): Promise<Record<Encoding, Encoded>> {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const [br, gzipped] = await Promise.all([
    withBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        [constants.BROTLI_PARAM_QUALITY]: quality,
      },
    }),
    withGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return {
    br: { bytes: br, etag: `"${hash}-br"` },
    gzip: { bytes: gzipped, etag: `"${hash}-gzip"` },
    identity: { bytes: plain, etag: `"${hash}"` },
  };
}

// Without a memory of their own: the header is anybody's, and there is no end to what it can say.
const anyEncoding = new Negotiator({ supportedValues: [...ENCODINGS] });
const gzipOrNone = new Negotiator({ supportedValues: ['gzip', 'identity'] });

/** Whether a client wants gzip by its Accept-Encoding, where there is nothing else. */
export function takesGzip(header: string | undefined): boolean {
  return header !== undefined && gzipOrNone.negotiate(header) === 'gzip';
}

/** Sends a text as the client takes it; 304 where it has it already and the answer would be 200. */
export function sendEncoded(
  reply: FastifyReply,
  texts: Record<Encoding, Encoded>,
  type: string,
): FastifyReply {
  const { headers } = reply.request;
  const encoding = pickEncoding(headers['accept-encoding']);
  const { bytes, etag } = texts[encoding];
  reply.header('etag', etag);
  if (reply.statusCode === 200 && isKnown(headers['if-none-match'], etag)) {
    return reply.status(304).send();
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(type).send(bytes);
}

/** The encoding that a client wants by its Accept-Encoding. */
function pickEncoding(header: string | undefined): Encoding {
  const wanted = header ? anyEncoding.negotiate(header) : null;
  return ENCODINGS.find((encoding) => encoding === wanted) ?? 'identity';
}

/** Whether If-None-Match names what would be sent, so that nothing has to be sent. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.some((tag) => tag === etag || tag === '*');
}
