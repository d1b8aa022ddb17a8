import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
const CONTENT = { email: 'a@example.no', username: 'Kari' };

/** A page of the same browser: its own memory, the same storage. */
async function openTab() {
  vi.resetModules();
  const keys = await import('./payment-keys.ts');
  const { ApiError } = await import('./api-error.ts');
  return { ...keys, closed: () => new ApiError(409, 'payment_cancelled', 'Cancelled') };
}

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', storage);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

test('the same content has the same key in every tab and after a reload, and other content another', async () => {
  const [one, other] = [await openTab(), await openTab()];
  const key = await one.paymentKey(CONTENT);
  expect(await other.paymentKey(CONTENT)).toBe(key);
  expect(await one.paymentKey({ ...CONTENT, email: 'b@example.no' })).not.toBe(key);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
});

test('nothing of the content is stored', async () => {
  await (await openTab()).paymentKey(CONTENT);
  expect([...stored.values()].join()).not.toMatch(/example|Kari/);
});

test('the key changes after some hours, and after a payment', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { paymentKey, forgetPayment } = await openTab();
  const first = await paymentKey(CONTENT);
  vi.advanceTimersByTime(5 * 3_600_000);
  expect(await paymentKey(CONTENT)).toBe(first);
  vi.advanceTimersByTime(2 * 3_600_000);
  const second = await paymentKey(CONTENT);
  expect(second).not.toBe(first);
  forgetPayment();
  expect(await paymentKey(CONTENT)).not.toBe(second);
});

test('two tabs whose payment is closed share one new key', async () => {
  const [one, other] = [await openTab(), await openTab()];
  const refused = await one.paymentKey(CONTENT);
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  const waiting = other.withPaymentKey(CONTENT, async (key) => {
    if (key !== refused) return key;
    await answer;
    throw other.closed();
  });
  const next = await one.withPaymentKey(CONTENT, async (key) => {
    if (key === refused) throw one.closed();
    return key;
  });
  expect(next).not.toBe(refused);
  resolve();
  expect(await waiting).toBe(next);
});

test('a payment that fails for another reason keeps its key', async () => {
  const { withPaymentKey, paymentKey } = await openTab();
  const key = await paymentKey(CONTENT);
  const sent: string[] = [];
  const send = async (used: string) => {
    sent.push(used);
    throw new Error('offline');
  };
  await expect(withPaymentKey(CONTENT, send)).rejects.toThrow('offline');
  expect(sent).toEqual([key]);
  expect(await paymentKey(CONTENT)).toBe(key);
});

test('an unfinished payment is remembered until it is made', async () => {
  const { notePaying, hasUnfinishedPayment, paymentKey, forgetPayment } = await openTab();
  const key = await paymentKey(CONTENT);
  expect(hasUnfinishedPayment()).toBe(false);
  notePaying();
  const reloaded = await openTab();
  expect(reloaded.hasUnfinishedPayment()).toBe(true);
  expect(await reloaded.paymentKey(CONTENT)).toBe(key);
  forgetPayment();
  expect(reloaded.hasUnfinishedPayment()).toBe(false);
});

test('dismissing the notice of an unfinished payment keeps its key', async () => {
  const { notePaying, forgetPaying, paymentKey } = await openTab();
  const key = await paymentKey(CONTENT);
  notePaying();
  forgetPaying();
  const reloaded = await openTab();
  expect(reloaded.hasUnfinishedPayment()).toBe(false);
  expect(await reloaded.paymentKey(CONTENT)).toBe(key);
});

test('a key lasts as long as the page where storage is blocked or has invalid content', async () => {
  vi.stubGlobal('localStorage', {
    ...storage,
    getItem: () => {
      throw new Error('blocked');
    },
  });
  const { paymentKey } = await openTab();
  expect(await paymentKey(CONTENT)).toBe(await paymentKey(CONTENT));
  vi.stubGlobal('localStorage', storage);
  stored.set('payment', '"odd');
  const other = await openTab();
  expect(await other.paymentKey(CONTENT)).toBe(await other.paymentKey(CONTENT));
});
