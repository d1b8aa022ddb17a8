import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addGauge, cachedReading, single } from './read-gauge.ts';

test('a gauge has no value while its reading fails, and has one again afterwards', async () => {
  const registry = new Registry();
  let answer = async (): Promise<number> => 3;
  const read = cachedReading(() => answer(), 0);
  addGauge(registry, { name: 'plain', help: 'h', read: async () => single(await read()) });
  addGauge(registry, {
    name: 'labelled',
    help: 'h',
    labelNames: ['queue'],
    read: async () => [{ labels: { queue: 'mail' }, value: await answer() }],
  });
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line));
  expect(await lines()).toEqual(['plain 3', 'labelled{queue="mail"} 3']);
  answer = () => Promise.reject(new Error('away'));
  expect(await lines()).toEqual([]);
  answer = async () => 4;
  expect(await lines()).toEqual(['plain 4', 'labelled{queue="mail"} 4']);
});

test('a cached reading is shared within its time to live, and read once at a time', async () => {
  let reads = 0;
  const read = cachedReading(async () => ++reads);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  let end = (_value: number) => {};
  const slow = cachedReading(() => {
    reads += 1;
    return new Promise<number>((resolve) => {
      end = resolve;
    });
  }, 0);
  const both = Promise.all([slow(), slow()]);
  end(7);
  expect(await both).toEqual([7, 7]);
  expect(reads).toBe(2);
});
