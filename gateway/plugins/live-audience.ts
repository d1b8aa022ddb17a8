import type { FastifyReply } from 'fastify';
import { isForAccount, type LiveMessage } from '@proveklar/services/live/messages.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verified-identity.ts';
import type { LiveEvent } from '@proveklar/contract/events.ts';
import { LiveStream, type LiveClient } from './live-stream.ts';

/**
 * Streams of one account at a time in one process. A browser without HTTP/2 has six connections to
 * a host, and needs some for its requests.
 */
const MOST_PER_ACCOUNT = 4;
const RETRY_MS = 1_000;
/** The tab that lost its stream to a newer one polls meanwhile; at once, the two would take turns. */
const RETRY_AFTER_TAKEN_MS = 60_000;
const ADMINS = 'admins';

export interface AudienceOptions {
  /** Whether a client may still be told anything. Asked when its account changed. */
  mayListen: (client: LiveClient) => Promise<boolean>;
}

/** The streams of this process, and who of them is told what. */
export class LiveAudience {
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
