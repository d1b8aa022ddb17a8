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

/** Lets so much time pass, and whatever was waiting for it happen. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const last = () => streams.at(-1)!;

function hide(hidden: boolean) {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

/** A stream that opens and stays long enough to be relied on. */
async function steady() {
  last().listener.onReady();
  await pass(10_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  changes = [];
  page = Object.assign(new EventTarget(), { hidden: false });
  stop = startLive({
    page,
    // The longest pauses, so that they are always the same.
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
  test('has at once read what is named, and soon whatever changed before it was ready', async () => {
    last().listener.onReady();
    last().listener.onTopic('account');
    expect(changes).toEqual(['account']);
    await pass(2_000);
    expect(changes).toEqual(['account', 'any']);
  });

  test('has a topic read once a second however often it is named, and never too early', async () => {
    for (let n = 0; n < 50; n += 1) last().listener.onTopic('statistics');
    expect(changes).toEqual(['statistics']);
    await pass(1_000);
    expect(changes).toEqual(['statistics', 'statistics']);
    await pass(10_000);
    expect(changes).toHaveLength(2);
  });

  test('has everything read after a gap, but not by all clients at once', async () => {
    last().listener.onResync();
    await pass(2_999);
    expect(changes).toEqual([]);
    await pass(1);
    expect(changes).toEqual(['any']);
  });

  test('is not polled beside', async () => {
    await steady();
    await pass(120_000);
    expect(changes).toEqual(['any']);
  });
});

describe('a stream that ends', () => {
  test('after a while is opened again soon, and everything is read', async () => {
    await steady();
    last().end();
    await pass(999);
    expect(streams).toHaveLength(1);
    await pass(1);
    expect(streams).toHaveLength(2);
    last().listener.onReady();
    expect(changes).toEqual(['any', 'any']);
  });

  test('is tried again later and later, at most after half a minute', async () => {
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      const before = streams.length;
      last().fail();
      await pass(seconds * 1_000 - 1);
      expect(streams).toHaveLength(before);
      await pass(1);
      expect(streams).toHaveLength(before + 1);
    }
  });

  test('as soon as it is open has failed too', async () => {
    last().listener.onReady();
    last().end();
    await pass(1_999);
    expect(streams).toHaveLength(1);
    await pass(1);
    expect(streams).toHaveLength(2);
  });

  test('waits as long as the server asked, and polls meanwhile', async () => {
    await steady();
    last().listener.onRetry(60_000);
    last().end();
    await pass(59_999);
    expect(streams).toHaveLength(1);
    expect(changes).toEqual(['any', 'any', 'any', 'any']);
    await pass(1);
    expect(streams).toHaveLength(2);
  });
});

describe('polling', () => {
  test('begins after two failures, goes on beside the attempts, and ends with a stream', async () => {
    last().fail();
    await pass(2_000);
    expect(changes).toEqual([]);
    last().fail();
    await pass(15_000);
    expect(changes).toEqual(['any']);
    expect(streams).toHaveLength(3);
    await pass(15_000);
    expect(changes).toEqual(['any', 'any']);
    await steady();
    await pass(60_000);
    expect(changes).toEqual(['any', 'any', 'any']);
  });

  test('rests while nobody looks', async () => {
    last().fail();
    await pass(2_000);
    last().fail();
    await pass(0);
    hide(true);
    await pass(60_000);
    expect(changes).toEqual([]);
  });
});

describe('a hidden page', () => {
  test('keeps its stream for five minutes, and comes back when it is shown', async () => {
    await steady();
    hide(true);
    await pass(5 * 60_000 - 1);
    expect(last().signal.aborted).toBe(false);
    await pass(1);
    expect(last().signal.aborted).toBe(true);
    await pass(60 * 60_000);
    expect(streams).toHaveLength(1);
    hide(false);
    await pass(0);
    expect(streams).toHaveLength(2);
  });

  test('that is shown in between keeps it', async () => {
    await steady();
    for (let n = 0; n < 5; n += 1) {
      hide(true);
      await pass(4 * 60_000);
      hide(false);
    }
    expect(streams).toHaveLength(1);
    expect(last().signal.aborted).toBe(false);
  });

  test('that is shown does not wait for the next attempt', async () => {
    for (let n = 0; n < 4; n += 1) {
      last().fail();
      await pass(2_000 * 2 ** n);
    }
    last().fail();
    await pass(0);
    hide(true);
    hide(false);
    await pass(0);
    expect(streams).toHaveLength(6);
  });
});

test('stopping ends the stream, the polling and everything that was to come', async () => {
  last().listener.onTopic('account');
  last().listener.onTopic('account');
  last().listener.onResync();
  stop();
  expect(last().signal.aborted).toBe(true);
  await pass(120_000);
  expect(streams).toHaveLength(1);
  expect(changes).toEqual(['account']);
  expect(vi.getTimerCount()).toBe(0);
});
