import type { LiveTopic } from '@proveklar/contract/live-updates.ts';
import type { request } from '#lib/api-client.ts';
import { backoff } from '#lib/backoff.ts';
import { throttleEach } from '#lib/throttle.ts';
import { readStream } from './read-stream.ts';

interface LiveOptions {
  /** Called when data of a topic, or of any topic, has changed and must be read again. */
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
/** A stream that ends earlier counts as a failure: some proxies cut long responses. */
const MIN_STREAM_MS = 10_000;
const FAILURES_BEFORE_POLLING = 2;
const POLL_INTERVAL_MS = 15_000;
const MAX_HIDDEN_MS = 5 * 60_000;
/** Many answers in a second are many messages; one read for all of them is enough. */
const THROTTLE_MS = 1_000;
/** After a resync all clients of a gateway read everything again, which must not happen at the same moment. */
const RESYNC_JITTER_MS = 3_000;
/** The first stream opens while the page itself reads its data, so the first read of everything waits. */
const FIRST_READ_DELAY_MS = 2_000;

/**
 * Keeps a stream of live updates open while the page is shown: reconnects when it breaks, and polls every
 * 15 s while it cannot.
 *
 * @returns a function that stops it
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
    }, POLL_INTERVAL_MS);
  }
  function stopPolling() {
    clearInterval(polling);
    polling = undefined;
  }

  /** @returns whether the stream lasted long enough to count as a success */
  async function attempt(): Promise<boolean> {
    const ending = new AbortController();
    signal.addEventListener('abort', () => ending.abort(), { signal: ending.signal });
    onHiddenFor(MAX_HIDDEN_MS, page, ending.signal, () => ending.abort());
    let readyAt = Infinity;
    const listener = {
      onReady() {
        readyAt = Date.now();
        stopPolling();
        // Changes between the page's read and the stream's start must be shown too.
        if (isFirst) setTimeout(() => changed('any'), FIRST_READ_DELAY_MS);
        else changed('any');
      },
      onResync: () => void setTimeout(() => changed('any'), random() * RESYNC_JITTER_MS),
      onTopic: changed,
      onRetry: (ms: number) => (retryMs = ms),
    };
    // However it ended, it is opened again.
    await read(options.request, listener, ending.signal).catch(() => {});
    ending.abort();
    return Date.now() - readyAt >= MIN_STREAM_MS;
  }

  async function run() {
    let failures = 0;
    while (!signal.aborted) {
      await whenShown(page, signal);
      // Stopped during the wait: a stream opened now would never be closed.
      if (signal.aborted) break;
      failures = (await attempt()) ? 0 : failures + 1;
      isFirst = false;
      const wait = { min: retryMs, max: MAX_RETRY_MS };
      if (failures >= FAILURES_BEFORE_POLLING || backoff(failures, wait) > POLL_INTERVAL_MS) poll();
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

/** The part of `document` that is used. */
type Page = Pick<Document, 'hidden' | 'addEventListener'>;

/** Resolves when the page is shown, or `signal` aborts. */
function whenShown(page: Page, signal: AbortSignal): Promise<void> {
  return page.hidden ? pause(Infinity, page, signal) : Promise.resolve();
}

/** Resolves after `ms` milliseconds, or earlier when the page is shown again or `signal` aborts. */
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

/** Calls back when the page has been hidden for `ms` milliseconds without a break. */
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
