import type { LiveEvent, LiveTopic } from '@proveklar/contract/live-updates.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { request } from '#lib/api-client.ts';

export interface StreamListener {
  /** The stream is open: changes from now on are reported. */
  onReady: () => void;
  /** Changes may have been missed. */
  onResync: () => void;
  onTopic: (topic: LiveTopic) => void;
  /** How long the server asks us to wait before reconnecting, in milliseconds. */
  onRetry: (ms: number) => void;
}

/** A proxy that buffers the whole response would let nothing through. */
const OPEN_TIMEOUT_MS = 15_000;
/** The server sends a heartbeat every 15 s. */
const HEARTBEAT_TIMEOUT_MS = 40_000;

/**
 * Reads the stream of live updates until the server ends it. By `fetch`, because `EventSource` cannot
 * send the token in a header.
 *
 * @throws if the stream cannot be opened, breaks or misses its heartbeat, and when `signal` aborts it
 */
export async function readStream(
  send: typeof request,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const timeout = new AbortController();
  const onTimeout = () => timeout.abort(new Error('No heartbeat from the server'));
  let timer = setTimeout(onTimeout, OPEN_TIMEOUT_MS);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(onTimeout, HEARTBEAT_TIMEOUT_MS);
  };
  try {
    const response = await send('/events', {
      signedIn: true,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    if (!response.body) return;
    const reader = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new EventSourceParserStream({ onRetry: listener.onRetry, onComment: restartTimer }),
      )
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      restartTimer();
      if (value.event === 'ready') listener.onReady();
      else if (value.event === 'resync') listener.onResync();
      else if (!value.event) listener.onTopic((JSON.parse(value.data) as LiveEvent).topic);
    }
  } finally {
    clearTimeout(timer);
  }
}
