import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';

export interface LiveConnection {
  status: number;
  headers: Headers;
  /** Resolves with the next event; rejects when the stream ends without one. */
  next: () => Promise<{ event: string; data: unknown }>;
  /** Resolves when the stream has ended, with the events not read until then. */
  ended: Promise<EventSourceMessage[]>;
  /** The server's last `retry` field: how long to wait before reconnecting, in milliseconds. */
  retryMs: () => number | undefined;
  close: () => void;
}

/** Opens a gateway's stream of live updates, as a browser does. */
export async function connectLive(url: string, token: string): Promise<LiveConnection> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  const waiting: ((message: EventSourceMessage | undefined) => void)[] = [];
  const unread: EventSourceMessage[] = [];
  let retryMs: number | undefined;
  let isOver = false;
  const ended = readAll();

  async function readAll(): Promise<EventSourceMessage[]> {
    const onRetry = (ms: number) => (retryMs = ms);
    const events = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onRetry }));
    try {
      for await (const message of events) {
        const waiter = waiting.shift();
        if (waiter) waiter(message);
        else unread.push(message);
      }
    } catch {
      // The connection was closed by us, or by the server.
    }
    isOver = true;
    for (const waiter of waiting.splice(0)) waiter(undefined);
    return unread;
  }

  return {
    status: response.status,
    headers: response.headers,
    ended,
    retryMs: () => retryMs,
    close: () => abort.abort(),
    async next() {
      const message =
        unread.shift() ??
        (isOver
          ? undefined
          : await new Promise<EventSourceMessage | undefined>((resolve) => waiting.push(resolve)));
      if (!message) throw new Error('The stream ended');
      return { event: message.event ?? 'message', data: JSON.parse(message.data) as unknown };
    },
  };
}
