import type { LiveTopic } from '@proveklar/contract/events.ts';
import type { request } from './api-client.ts';
import { backoff } from './backoff.ts';
import { readStream } from './read-stream.ts';
import { throttleEach } from './throttle.ts';

interface LiveOptions {
  /** Something changed and has to be read again: of one topic, or of any. */
  onChange: (topic: LiveTopic | 'any') => void;
  /** Calls the API as the signed-in user. */
  request: typeof request;
  /** Replaced in tests. */
  read?: typeof readStream;
  page?: Page;
  random?: () => number;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const JITTER = [0.5, 1] as const;
/** A stream that ends sooner than this counts as failed: some proxies cut whatever stays open. */
const STEADY_MS = 10_000;
const FAILURES_BEFORE_POLLING = 2;
const POLL_MS = 15_000;
const LONG_HIDDEN_MS = 5 * 60_000;
/** Many answers in a second are many messages; a reader needs to be told once. */
const THROTTLE_MS = 1_000;
/** After a gap all clients of a gateway read again, which they had better not do in one moment. */
const RESYNC_JITTER_MS = 3_000;
/** The first stream opens beside what the page itself just reads: that is not read twice at once. */
const SETTLE_MS = 2_000;

/**
 * Keeps one stream of live updates while the page is shown: comes back when it breaks, and asks
 * every 15 s while it cannot.
 *
 * @returns a function that ends it
 */
export function startLive(options: LiveOptions): () => void {
  const { read = readStream, page = document, random = Math.random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let polling: ReturnType<typeof setInterval> | undefined;
  let retryMs = MIN_RETRY_MS;
  let isFirst = true;

  const changed = throttleEach(THROTTLE_MS, (topic: LiveTopic | 'any') => {
    if (!signal.aborted) options.onChange(topic);
  });

  function poll() {
    polling ??= setInterval(() => {
      if (!page.hidden) changed('any');
    }, POLL_MS);
  }
  function stopPolling() {
    clearInterval(polling);
    polling = undefined;
  }

  /** @returns whether the stream was one that can be relied on */
  async function attempt(): Promise<boolean> {
    const ending = new AbortController();
    signal.addEventListener('abort', () => ending.abort(), { signal: ending.signal });
    onHiddenFor(LONG_HIDDEN_MS, page, ending.signal, () => ending.abort());
    let readyAt = Infinity;
    const listener = {
      onReady() {
        readyAt = Date.now();
        stopPolling();
        // What changed while neither looked must show all the same.
        if (isFirst) setTimeout(() => changed('any'), SETTLE_MS);
        else changed('any');
      },
      onResync: () => void setTimeout(() => changed('any'), random() * RESYNC_JITTER_MS),
      onTopic: changed,
      onRetry: (ms: number) => (retryMs = ms),
    };
    // How it ended does not matter: it is opened again.
    await read(options.request, listener, ending.signal).catch(() => {});
    ending.abort();
    return Date.now() - readyAt >= STEADY_MS;
  }

  async function run() {
    let failures = 0;
    while (!signal.aborted) {
      await whenShown(page, signal);
      // Stopped while it waited: a stream opened now would never hear of it.
      if (signal.aborted) break;
      failures = (await attempt()) ? 0 : failures + 1;
      isFirst = false;
      const wait = { min: retryMs, max: MAX_RETRY_MS };
      if (failures >= FAILURES_BEFORE_POLLING || backoff(failures, wait) > POLL_MS) poll();
      await pause(backoff(failures, { ...wait, jitter: JITTER, random }), page, signal);
    }
    stopPolling();
  }

  void run();
  return () => {
    stopping.abort();
    stopPolling();
  };
}

/** What has to be known of the page: `document`. */
type Page = Pick<Document, 'hidden' | 'addEventListener'>;

/** Resolves when the page is shown, or `signal` aborts. */
function whenShown(page: Page, signal: AbortSignal): Promise<void> {
  return page.hidden ? pause(Infinity, page, signal) : Promise.resolve();
}

/** Resolves after so many milliseconds, or before, when the page is shown again or `signal` aborts. */
async function pause(ms: number, page: Page, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    if (Number.isFinite(ms)) timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    const onVisibility = () => {
      if (!page.hidden) resolve();
    };
    page.addEventListener('visibilitychange', onVisibility, { signal: over.signal });
  });
  clearTimeout(timer);
  over.abort();
}

/** Calls back when the page has been hidden for so many milliseconds without a break. */
function onHiddenFor(ms: number, page: Page, signal: AbortSignal, callback: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(callback, ms);
  };
  look();
  page.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
