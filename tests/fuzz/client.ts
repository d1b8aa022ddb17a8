import { Agent, type IncomingMessage, request } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { urlOf, type Draft, type FuzzedOperation } from './calls.ts';

/** The answer to a request, or the reason why there is none. */
export interface Answer {
  /** 0 when the connection ended without an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** From the first byte sent to the last byte received. */
  ms: number;
  failure?: string;
}

/** Longer than any request that waits by design. */
const REQUEST_TIMEOUT_MS = 60_000;

/** A client over real HTTP, with keep-alive. */
export function createFuzzClient(origin: string): {
  send: (operation: FuzzedOperation, draft: Draft, token: string | null) => Promise<Answer>;
  close: () => void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (operation, draft, token) => sendOnce(agent, origin, operation, draft, token),
    close: () => agent.destroy(),
  };
}

function sendOnce(
  agent: Agent,
  origin: string,
  operation: FuzzedOperation,
  draft: Draft,
  token: string | null,
): Promise<Answer> {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const outgoing = request(new URL(origin), {
    agent,
    method: operation.method.toUpperCase(),
    path: urlOf(operation, draft),
    headers: {
      ...draft.headers,
      ...(draft.body !== undefined && { 'content-length': Buffer.byteLength(draft.body) }),
      ...(token !== null && { authorization: token }),
    },
    timeout: REQUEST_TIMEOUT_MS,
  });
  const since = () => performance.now() - began;
  const fail = (failure: string) =>
    resolve({ status: 0, headers: {}, text: '', ms: since(), failure });
  outgoing.on('timeout', () => {
    fail(`no answer within ${REQUEST_TIMEOUT_MS / 1000} s`);
    outgoing.destroy();
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // The server had closed the kept connection before this request was sent.
    const isStale = outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
    if (isStale) resolve(sendOnce(agent, origin, operation, draft, token));
    else fail(error.message);
  });
  outgoing.on('response', (incoming) => {
    const { statusCode: status = 0, headers } = incoming;
    let text = '';
    const decoded = decode(incoming);
    decoded.setEncoding('utf8');
    decoded.on('data', (chunk: string) => {
      text += chunk;
      // A stream has no end to wait for.
      if (!headers['content-type']?.startsWith('text/event-stream')) return;
      resolve({ status, headers, text, ms: since() });
      outgoing.destroy();
    });
    decoded.on('end', () => resolve({ status, headers, text, ms: since() }));
    decoded.on('error', (error) => fail(error.message));
  });
  outgoing.end(draft.body);
  return promise;
}

/** A response body without its content encoding. */
function decode(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== 'br' && encoding !== 'gzip') return incoming;
  const decoder = encoding === 'br' ? createBrotliDecompress() : createGunzip();
  // A failure of either is the decoder's error.
  return pipeline(incoming, decoder, () => {});
}
