import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
const WISH = { email: 'a@example.no', username: 'Kari' };

/** A page of the same browser: its own memory, the same storage. */
async function openTab() {
  vi.resetModules();
  return import('./payment-keys.ts');
}

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', storage);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

test('the same content has the same key in every tab and after a reload, other content another', async () => {
  const [one, other] = [await openTab(), await openTab()];
  const key = await one.paymentKey(WISH);
  expect(await other.paymentKey(WISH)).toBe(key);
  expect(await one.paymentKey({ ...WISH, email: 'b@example.no' })).not.toBe(key);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
});

test('nothing of the content is stored', async () => {
  await (await openTab()).paymentKey(WISH);
  expect([...stored.values()].join()).not.toMatch(/example|Kari/);
});

test('after some hours, and after a payment, the key is another', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { paymentKey, forgetPayment } = await openTab();
  const first = await paymentKey(WISH);
  vi.advanceTimersByTime(5 * 3_600_000);
  expect(await paymentKey(WISH)).toBe(first);
  vi.advanceTimersByTime(2 * 3_600_000);
  const second = await paymentKey(WISH);
  expect(second).not.toBe(first);
  forgetPayment();
  expect(await paymentKey(WISH)).not.toBe(second);
});

test('two tabs whose payment is over begin one new one', async () => {
  const [one, other] = [await openTab(), await openTab()];
  const refused = await one.paymentKey(WISH);
  const next = await one.newPaymentKey(WISH, refused);
  expect(next).not.toBe(refused);
  expect(await other.newPaymentKey(WISH, refused)).toBe(next);
});

test('a card that was sent is remembered until its payment is made', async () => {
  const { notePaying, hasUnfinishedPayment, paymentKey, forgetPayment } = await openTab();
  const key = await paymentKey(WISH);
  expect(hasUnfinishedPayment()).toBe(false);
  notePaying();
  const reloaded = await openTab();
  expect(reloaded.hasUnfinishedPayment()).toBe(true);
  expect(await reloaded.paymentKey(WISH)).toBe(key);
  forgetPayment();
  expect(reloaded.hasUnfinishedPayment()).toBe(false);
});

test('a notice that is dismissed is forgotten, and the payment keeps its key', async () => {
  const { notePaying, forgetPaying, paymentKey } = await openTab();
  const key = await paymentKey(WISH);
  notePaying();
  forgetPaying();
  const reloaded = await openTab();
  expect(reloaded.hasUnfinishedPayment()).toBe(false);
  expect(await reloaded.paymentKey(WISH)).toBe(key);
});

test('where storage is blocked or holds something else, a key lasts as long as the page', async () => {
  vi.stubGlobal('localStorage', {
    ...storage,
    getItem: () => {
      throw new Error('blocked');
    },
  });
  const { paymentKey } = await openTab();
  expect(await paymentKey(WISH)).toBe(await paymentKey(WISH));
  vi.stubGlobal('localStorage', storage);
  stored.set('payment', '"odd');
  const other = await openTab();
  expect(await other.paymentKey(WISH)).toBe(await other.paymentKey(WISH));
});
