import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startLive } from './live.ts';
import type { StreamListener } from './read-stream.ts';

interface Opened {
  listener: StreamListener;
  signal: AbortSignal;
  end: () => void;
  fail: () => void;
}

let streams: Opened[];
let changes: string[];
let page: EventTarget & { hidden: boolean };
let stop: () => void;

/** Advances the timers. */
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const last = () => streams.at(-1)!;

function hide(hidden: boolean) {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

/** Opens a stream that lasts long enough to count as a success. */
async function steady() {
  last().listener.onReady();
  await advance(10_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  changes = [];
  page = Object.assign(new EventTarget(), { hidden: false });
  stop = startLive({
    page,
    // Always the maximum jitter.
    random: () => 1,
    onChange: (topic) => changes.push(topic),
    request: () => Promise.reject(new Error('Nothing is sent here')),
    read: (_request, listener, signal) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('no'));
        signal.addEventListener('abort', fail);
        streams.push({ listener, signal, end: resolve, fail });
      }),
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('an open stream', () => {
  test('reloads a named topic at once, and everything soon after it is ready', async () => {
    last().listener.onReady();
    last().listener.onTopic('account');
    expect(changes).toEqual(['account']);
    await advance(2_000);
    expect(changes).toEqual(['account', 'any']);
  });

  test('reloads a topic at most once a second, and never too early', async () => {
    for (let n = 0; n < 50; n += 1) last().listener.onTopic('statistics');
    expect(changes).toEqual(['statistics']);
    await advance(1_000);
    expect(changes).toEqual(['statistics', 'statistics']);
    await advance(10_000);
    expect(changes).toHaveLength(2);
  });

  test('reloads everything after a resync, with jitter', async () => {
    last().listener.onResync();
    await advance(2_999);
    expect(changes).toEqual([]);
    await advance(1);
    expect(changes).toEqual(['any']);
  });

  test('stops polling', async () => {
    await steady();
    await advance(120_000);
    expect(changes).toEqual(['any']);
  });
});

describe('a stream that ends', () => {
  test('after a while reconnects soon, and reloads everything', async () => {
    await steady();
    last().end();
    await advance(999);
    expect(streams).toHaveLength(1);
    await advance(1);
    expect(streams).toHaveLength(2);
    last().listener.onReady();
    expect(changes).toEqual(['any', 'any']);
  });

  test('early reconnects with a backoff of at most half a minute', async () => {
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      const before = streams.length;
      last().fail();
      await advance(seconds * 1_000 - 1);
      expect(streams).toHaveLength(before);
      await advance(1);
      expect(streams).toHaveLength(before + 1);
    }
  });

  test('as soon as it is open counts as a failure', async () => {
    last().listener.onReady();
    last().end();
    await advance(1_999);
    expect(streams).toHaveLength(1);
    await advance(1);
    expect(streams).toHaveLength(2);
  });

  test('reconnects when the server has asked for it, and polls meanwhile', async () => {
    await steady();
    last().listener.onRetry(60_000);
    last().end();
    await advance(59_999);
    expect(streams).toHaveLength(1);
    expect(changes).toEqual(['any', 'any', 'any', 'any']);
    await advance(1);
    expect(streams).toHaveLength(2);
  });
});

describe('polling', () => {
  test('starts after two failures, continues during the attempts, and ends with a stream', async () => {
    last().fail();
    await advance(2_000);
    expect(changes).toEqual([]);
    last().fail();
    await advance(15_000);
    expect(changes).toEqual(['any']);
    expect(streams).toHaveLength(3);
    await advance(15_000);
    expect(changes).toEqual(['any', 'any']);
    await steady();
    await advance(60_000);
    expect(changes).toEqual(['any', 'any', 'any']);
  });

  test('pauses while the page is hidden', async () => {
    last().fail();
    await advance(2_000);
    last().fail();
    await advance(0);
    hide(true);
    await advance(60_000);
    expect(changes).toEqual([]);
  });
});

describe('a hidden page', () => {
  test('keeps its stream for five minutes, and reconnects when it is shown', async () => {
    await steady();
    hide(true);
    await advance(5 * 60_000 - 1);
    expect(last().signal.aborted).toBe(false);
    await advance(1);
    expect(last().signal.aborted).toBe(true);
    await advance(60 * 60_000);
    expect(streams).toHaveLength(1);
    hide(false);
    await advance(0);
    expect(streams).toHaveLength(2);
  });

  test('keeps its stream when it is shown in between', async () => {
    await steady();
    for (let n = 0; n < 5; n += 1) {
      hide(true);
      await advance(4 * 60_000);
      hide(false);
    }
    expect(streams).toHaveLength(1);
    expect(last().signal.aborted).toBe(false);
  });

  test('reconnects at once when it is shown', async () => {
    for (let n = 0; n < 4; n += 1) {
      last().fail();
      await advance(2_000 * 2 ** n);
    }
    last().fail();
    await advance(0);
    hide(true);
    hide(false);
    await advance(0);
    expect(streams).toHaveLength(6);
  });
});

test('stopping ends the stream, the polling and every timer', async () => {
  last().listener.onTopic('account');
  last().listener.onTopic('account');
  last().listener.onResync();
  stop();
  expect(last().signal.aborted).toBe(true);
  await advance(120_000);
  expect(streams).toHaveLength(1);
  expect(changes).toEqual(['account']);
  expect(vi.getTimerCount()).toBe(0);
});
