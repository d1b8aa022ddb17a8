import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { LiveEvent } from '@proveklar/contract/live-updates.ts';
import { accountOf } from '@proveklar/services/accounts/account.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verify-token.ts';
import {
  isForAccount,
  listenLive,
  type LiveListener,
  type LiveMessage,
} from '@proveklar/services/live/live.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The open streams of live updates. */
    live: LiveHub;
  }
}

const HEARTBEAT_INTERVAL_MS = 15_000;

/** Listens to the workers' notifications on one connection, and sends them to the clients. */
export const livePlugin = fp(
  async (app) => {
    const { db, config } = app.deps;
    const onError = (error: unknown) => app.log.warn({ err: error }, 'live updates');

    async function mayReceive({ identity }: LiveClient): Promise<boolean> {
      try {
        await accountOf(db, identity);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        // The database is unreachable. A message is only a hint, without content, so it may be sent.
        onError(error);
        return true;
      }
    }

    const hub = new LiveHub({ mayReceive });
    app.decorate('live', hub);

    let listener: LiveListener | undefined;
    let heartbeat: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      heartbeat = setInterval(() => hub.sendHeartbeats(), HEARTBEAT_INTERVAL_MS);
      listener = listenLive({
        databaseUrl: config.DATABASE_URL,
        applicationName: 'gateway-live',
        onMessages: (messages) => void hub.publish(messages).catch(onError),
        onResync: () => hub.resync(),
        onError,
      });
    });
    // Before the server waits for its connections to end: streams have no end of their own.
    app.addHook('preClose', async () => {
      clearInterval(heartbeat);
      hub.close();
      await listener?.close();
    });
  },
  { name: 'live' },
);

/**
 * Streams per account in one process. A browser without HTTP/2 opens six connections to a host, and
 * needs some of them for requests.
 */
const MAX_STREAMS_PER_ACCOUNT = 4;
const RETRY_DELAY_MS = 1_000;
/** For a tab whose stream a newer tab replaced: it polls. An earlier retry would replace the newer one. */
const REPLACED_RETRY_DELAY_MS = 60_000;
const ADMINS = 'admins';

interface HubOptions {
  /** Whether a client may still receive messages. Checked when its account changed. */
  mayReceive: (client: LiveClient) => Promise<boolean>;
}

/** The streams of this process, by account; publishes messages to them. */
class LiveHub {
  /** By account id, oldest first; streams of admins are in `ADMINS` too. */
  readonly #rooms = new Map<string, Set<LiveStream>>();
  readonly #mayReceive: HubOptions['mayReceive'];
  #closed = false;

  constructor({ mayReceive }: HubOptions) {
    this.#mayReceive = mayReceive;
  }

  /** Makes the reply a stream. It replaces the account's oldest stream if there are too many. */
  open(client: LiveClient, reply: FastifyReply): void {
    const own = this.#in(client.accountId);
    if (own.length >= MAX_STREAMS_PER_ACCOUNT) this.#disconnect(own[0]!, REPLACED_RETRY_DELAY_MS);
    const stream = new LiveStream(client, reply, () => this.#remove(stream));
    for (const room of roomsOf(client)) {
      this.#rooms.set(room, (this.#rooms.get(room) ?? new Set()).add(stream));
    }
    // The client left before `onClose` was attached.
    if (reply.raw.destroyed) {
      this.#remove(stream);
      return;
    }
    stream.retryIn(RETRY_DELAY_MS);
    // From here on it receives messages, so what the client reads after `ready` is not stale.
    stream.event('ready');
    // Its request was in flight when `close` ended all streams.
    if (this.#closed) this.#disconnect(stream, RETRY_DELAY_MS);
  }

  /** Sends each message to its account, or to admins if it belongs to none. */
  async publish(messages: readonly LiveMessage[]): Promise<void> {
    const sent = messages.map(async (message) => {
      if (isForAccount(message)) await this.#publishToAccount(message.account_id, eventOf(message));
      else for (const stream of this.#in(ADMINS)) stream.message(eventOf(message));
    });
    await Promise.all(sent);
  }

  /** The identities of all streams. */
  identities(): VerifiedIdentity[] {
    return [...this.#all()].map(({ client }) => client.identity);
  }

  /** The number of streams. */
  get size(): number {
    return this.#all().size;
  }

  resync(): void {
    for (const stream of this.#all()) stream.event('resync');
  }

  sendHeartbeats(): void {
    for (const stream of this.#all()) stream.sendHeartbeat();
  }

  /** Ends every stream. A random delay spreads the reconnects. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#all()) {
      this.#disconnect(stream, RETRY_DELAY_MS + Math.floor(Math.random() * 2 * RETRY_DELAY_MS));
    }
  }

  async #publishToAccount(accountId: string, event: LiveEvent): Promise<void> {
    // Checked per stream: one browser may have signed in before the sessions were ended, another after.
    const sent = this.#in(accountId).map(async (stream) => {
      if (await this.#mayReceive(stream.client)) stream.message(event);
      else stream.end();
    });
    await Promise.all(sent);
  }

  #disconnect(stream: LiveStream, retryMs: number): void {
    this.#remove(stream);
    stream.retryIn(retryMs);
    stream.end();
  }

  #remove(stream: LiveStream): void {
    for (const room of roomsOf(stream.client)) {
      const streams = this.#rooms.get(room);
      streams?.delete(stream);
      if (streams?.size === 0) this.#rooms.delete(room);
    }
  }

  #in(room: string): LiveStream[] {
    return [...(this.#rooms.get(room) ?? [])];
  }

  #all(): Set<LiveStream> {
    return new Set([...this.#rooms.values()].flatMap((streams) => [...streams]));
  }
}

/** The part of a message that clients may see. */
function eventOf({ topic, request_id: id }: LiveMessage): LiveEvent {
  return { topic, ...(typeof id === 'string' && { request_id: id }) };
}

function roomsOf({ accountId, inPortal }: LiveClient): string[] {
  return inPortal ? [accountId, ADMINS] : [accountId];
}

interface LiveClient {
  accountId: string;
  inPortal: boolean;
  identity: VerifiedIdentity;
}

/** Unread bytes of a stream, some thousand messages. No client that reads ever reaches it. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Time for the client to close an ended stream. */
const CLOSE_TIMEOUT_MS = 1_000;
/** The longest delay of setTimeout; no token lives this long. */
const MAX_TIMER_DELAY_MS = 2 ** 31 - 1;

/**
 * One client's server-sent events. Written to the raw response and not by @fastify/sse 0.6, which buffers
 * without limit for a client that does not read.
 */
class LiveStream {
  readonly client: LiveClient;
  readonly #response: ServerResponse;
  readonly #expiry: NodeJS.Timeout;

  constructor(client: LiveClient, reply: FastifyReply, onClose: () => void) {
    this.client = client;
    reply.hijack();
    this.#response = reply.raw;
    this.#response.on('error', (error) => reply.log.debug({ err: error }, 'live stream'));
    const lifetimeMs = Math.max(0, client.identity.tokenExpiresAt - Date.now());
    this.#expiry = setTimeout(() => this.end(), Math.min(lifetimeMs, MAX_TIMER_DELAY_MS)).unref();
    this.#response.on('close', () => {
      clearTimeout(this.#expiry);
      onClose();
    });
    if (this.#response.destroyed) clearTimeout(this.#expiry);
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies must not buffer messages.
      'x-accel-buffering': 'no',
      // The server then need not wait for the connection's next request.
      connection: 'close',
    });
  }

  /** Tells the client to refetch everything that it shows. */
  event(name: 'ready' | 'resync'): void {
    this.#write(`event: ${name}\ndata: {}\n\n`);
  }

  message(body: LiveEvent): void {
    this.#write(`data: ${JSON.stringify(body)}\n\n`);
  }

  /** Sets the client's delay before it reconnects. */
  retryIn(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  /** Keeps proxies from closing an idle stream, and disconnects clients that do not read. */
  sendHeartbeat(): void {
    // The client has not read for a whole heartbeat interval.
    if (this.#response.writableLength > 0) this.#response.destroy();
    else this.#write(': \n\n');
  }

  end(): void {
    if (this.#response.writableEnded) return;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), CLOSE_TIMEOUT_MS).unref();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(text);
  }
}
