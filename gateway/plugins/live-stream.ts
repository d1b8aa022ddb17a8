import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { VerifiedIdentity } from '@proveklar/services/identity/verified-identity.ts';
import type { LiveEvent } from '@proveklar/contract/events.ts';

export interface LiveClient {
  accountId: string;
  isAdmin: boolean;
  identity: VerifiedIdentity;
}

/** What a client may leave unread: some thousand messages, which no reading client ever does. */
const MOST_UNREAD_BYTES = 64 * 1024;
/** A client that does not take even the end of its stream. */
const FAREWELL_MS = 1_000;
/** setTimeout takes no longer delay, and no token lives this long. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * One client's server-sent events. Written to the socket's response itself and not by @fastify/sse
 * 0.6: that keeps on buffering for a client that does not read.
 */
export class LiveStream {
  readonly client: LiveClient;
  readonly #response: ServerResponse;
  readonly #expiry: NodeJS.Timeout;

  constructor(client: LiveClient, reply: FastifyReply, onClose: () => void) {
    this.client = client;
    reply.hijack();
    this.#response = reply.raw;
    this.#response.on('error', (error) => reply.log.debug({ err: error }, 'live stream'));
    const left = Math.max(0, client.identity.tokenExpiresAt - Date.now());
    this.#expiry = setTimeout(() => this.end(), Math.min(left, LONGEST_DELAY_MS)).unref();
    this.#response.on('close', () => {
      clearTimeout(this.#expiry);
      onClose();
    });
    if (this.#response.destroyed) clearTimeout(this.#expiry);
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies must hand on every message at once.
      'x-accel-buffering': 'no',
      // When the stream has ended, the server need not wait for the connection's next request.
      connection: 'close',
    });
  }

  /** The client should read again whatever it shows. */
  event(name: 'ready' | 'resync'): void {
    this.#write(`event: ${name}\ndata: {}\n\n`);
  }

  message(body: LiveEvent): void {
    this.#write(`data: ${JSON.stringify(body)}\n\n`);
  }

  /** How long the client is to wait before it connects again. */
  retryIn(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  /** Keeps proxies from taking the stream for dead, and finds those who do not read. */
  beat(): void {
    // Since the last write there was time enough to read it.
    if (this.#response.writableLength > 0) this.#response.destroy();
    else this.#write(': \n\n');
  }

  end(): void {
    if (this.#response.writableEnded) return;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), FAREWELL_MS).unref();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.writableLength > MOST_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(text);
  }
}
