import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { LiveEvent } from '@proveklar/contract/events.ts';
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
    /** Who is told that something changed. */
    live: LiveAudience;
  }
}

const BEAT_MS = 15_000;

/** Hears on one connection what the workers tell, and tells it on to the clients. */
export const livePlugin = fp(
  async (app) => {
    const { db, config } = app.deps;
    const onError = (error: unknown) => app.log.warn({ err: error }, 'live updates');

    async function mayListen({ identity }: LiveClient): Promise<boolean> {
      try {
        await accountOf(db, identity);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        // Only the database knows, and it is away. A hint gives nothing away.
        onError(error);
        return true;
      }
    }

    const audience = new LiveAudience({ mayListen });
    app.decorate('live', audience);

    let listener: LiveListener | undefined;
    let beating: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      beating = setInterval(() => audience.beat(), BEAT_MS);
      listener = listenLive({
        databaseUrl: config.DATABASE_URL,
        applicationName: 'gateway-live',
        onMessages: (messages) => void audience.tell(messages).catch(onError),
        onResync: () => audience.resync(),
        onError,
      });
    });
    // Before the server waits for its connections, which would otherwise be for as long as they last.
    app.addHook('preClose', async () => {
      clearInterval(beating);
      audience.close();
      await listener?.close();
    });
  },
  { name: 'live' },
);

/**
 * Streams of one account at a time in one process. A browser without HTTP/2 has six connections to
 * a host, and needs some for its requests.
 */
const MOST_PER_ACCOUNT = 4;
const RETRY_MS = 1_000;
/** The tab that lost its stream to a newer one polls meanwhile; at once, the two would take turns. */
const RETRY_AFTER_TAKEN_MS = 60_000;
const ADMINS = 'admins';

interface AudienceOptions {
  /** Whether a client may still be told anything. Asked when its account changed. */
  mayListen: (client: LiveClient) => Promise<boolean>;
}

/** The streams of this process, and who of them is told what. */
class LiveAudience {
  /** Oldest first: by account, and those of the admins once more. */
  readonly #rooms = new Map<string, Set<LiveStream>>();
  readonly #mayListen: AudienceOptions['mayListen'];
  #closed = false;

  constructor({ mayListen }: AudienceOptions) {
    this.#mayListen = mayListen;
  }

  /** Takes over the reply and makes it a stream, in place of the account's oldest if it has many. */
  open(client: LiveClient, reply: FastifyReply): void {
    const own = this.#in(client.accountId);
    if (own.length >= MOST_PER_ACCOUNT) this.#dismiss(own[0]!, RETRY_AFTER_TAKEN_MS);
    const stream = new LiveStream(client, reply, () => this.#remove(stream));
    for (const room of roomsOf(client)) {
      this.#rooms.set(room, (this.#rooms.get(room) ?? new Set()).add(stream));
    }
    // Who left while we looked them up is not heard leaving any more.
    if (reply.raw.destroyed) {
      this.#remove(stream);
      return;
    }
    stream.retryIn(RETRY_MS);
    // It hears from now on: what the client reads after this, it does not read too early.
    stream.event('ready');
    // Its request was under way when everybody else was sent off.
    if (this.#closed) this.#dismiss(stream, RETRY_MS);
  }

  /** Tells each message to those whom it concerns, and to nobody else. */
  async tell(messages: readonly LiveMessage[]): Promise<void> {
    const told = messages.map(async (message) => {
      if (isForAccount(message)) await this.#tellAccount(message.account_id, eventOf(message));
      else for (const stream of this.#in(ADMINS)) stream.message(eventOf(message));
    });
    await Promise.all(told);
  }

  /** Whose streams there are. */
  identities(): VerifiedIdentity[] {
    return [...this.#all()].map(({ client }) => client.identity);
  }

  /** How many streams there are. */
  get size(): number {
    return this.#all().size;
  }

  resync(): void {
    for (const stream of this.#all()) stream.event('resync');
  }

  beat(): void {
    for (const stream of this.#all()) stream.beat();
  }

  /** Ends every stream; the clients come back at different moments. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#all()) {
      this.#dismiss(stream, RETRY_MS + Math.floor(Math.random() * 2 * RETRY_MS));
    }
  }

  async #tellAccount(accountId: string, event: LiveEvent): Promise<void> {
    // Each for itself: of two browsers one may have signed in before the sessions were ended.
    const told = this.#in(accountId).map(async (stream) => {
      if (await this.#mayListen(stream.client)) stream.message(event);
      else stream.end();
    });
    await Promise.all(told);
  }

  #dismiss(stream: LiveStream, retryMs: number): void {
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

/** What a client may know of it. */
function eventOf({ topic, request_id: id }: LiveMessage): LiveEvent {
  return { topic, ...(typeof id === 'string' && { request_id: id }) };
}

function roomsOf({ accountId, isAdmin }: LiveClient): string[] {
  return isAdmin ? [accountId, ADMINS] : [accountId];
}

interface LiveClient {
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
class LiveStream {
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
