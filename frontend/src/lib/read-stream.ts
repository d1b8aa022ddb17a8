import type { LiveEvent, LiveTopic } from '@proveklar/contract/events.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { request } from './api-client.ts';

export interface StreamListener {
  /** The stream is open: what is read from now on cannot become out of date unnoticed. */
  onReady: () => void;
  /** Something may have been missed. */
  onResync: () => void;
  onTopic: (topic: LiveTopic) => void;
  /** How long the server wants us to wait before we come back, in milliseconds. */
  onRetry: (ms: number) => void;
}

/** A proxy that collects the answer before it hands it on would let nothing through. */
const OPEN_MS = 15_000;
/** The server is heard every 15 s, whether there is anything to tell or not. */
const SILENCE_MS = 40_000;

/**
 * Reads the live updates until the server ends them. Read with fetch, because EventSource cannot
 * send the token in a header.
 *
 * @throws when there is no stream, when it breaks or falls silent, and when `signal` aborts it
 */
export async function readStream(
  send: typeof request,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const fallSilent = () => silence.abort(new Error('The stream fell silent'));
  let timer = setTimeout(fallSilent, OPEN_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(fallSilent, SILENCE_MS);
  };
  try {
    const response = await send('/events', {
      signedIn: true,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.body) return;
    const reader = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onRetry: listener.onRetry, onComment: heard }))
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      if (value.event === 'ready') listener.onReady();
      else if (value.event === 'resync') listener.onResync();
      else if (!value.event) listener.onTopic((JSON.parse(value.data) as LiveEvent).topic);
    }
  } finally {
    clearTimeout(timer);
  }
}
