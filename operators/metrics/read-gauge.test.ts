import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addGauge, kept, single } from './read-gauge.ts';

test('what cannot be read is left out, and is there again when it can', async () => {
  const registry = new Registry();
  let answer = async (): Promise<number> => 3;
  const read = kept(() => answer(), 0);
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

test('a reading serves all who ask within its time, and none begins while one is under way', async () => {
  let asked = 0;
  const read = kept(async () => ++asked);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  let end = (_value: number) => {};
  const slow = kept(() => {
    asked += 1;
    return new Promise<number>((resolve) => {
      end = resolve;
    });
  }, 0);
  const both = Promise.all([slow(), slow()]);
  end(7);
  expect(await both).toEqual([7, 7]);
  expect(asked).toBe(2);
});
