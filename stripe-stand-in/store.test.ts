import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openStore } from './store.ts';
import { temporaryDir } from './test-support.ts';

test('a line that a killed process left torn is ignored, and the lines before it are kept', async () => {
  const dataDir = temporaryDir();
  const path = join(dataDir, 'stripe.jsonl');
  const first = await openStore(dataDir);
  first.commit([['token', 'tok_1', { id: 'tok_1', payment_method: 'pm_1' }]]);
  first.close();
  appendFileSync(path, '[["token","tok_2",{"id":"to');

  const second = await openStore(dataDir);
  expect(second.get('token', 'tok_1')).toEqual({ id: 'tok_1', payment_method: 'pm_1' });
  expect(second.all('token')).toHaveLength(1);
  second.commit([['token', 'tok_3', { id: 'tok_3', payment_method: 'pm_3' }]]);
  second.close();

  const third = await openStore(dataDir);
  expect(third.all('token').map(({ id }) => id)).toEqual(['tok_1', 'tok_3']);
});

test('taking over compacts the journal and keeps the order', async () => {
  const dataDir = temporaryDir();
  const store = await openStore(dataDir);
  for (const method of ['pm_1', 'pm_2']) {
    store.commit([['token', 'tok_1', { id: 'tok_1', payment_method: method }]]);
  }
  store.commit([['token', 'tok_2', { id: 'tok_2', payment_method: 'pm_3' }]]);
  store.commit([['token', 'tok_1', null]]);
  store.takeOver();
  store.close();
  const lines = readFileSync(join(dataDir, 'stripe.jsonl'), 'utf8').trim().split('\n');
  expect(lines).toEqual(['[["token","tok_2",{"id":"tok_2","payment_method":"pm_3"}]]']);
});

test('a damaged journal is rejected, and opening a journal writes nothing', async () => {
  const dataDir = temporaryDir();
  const path = join(dataDir, 'stripe.jsonl');
  const damaged = 'rubbish\n[["token","tok_1",null]]\n';
  writeFileSync(path, damaged);
  await expect(openStore(dataDir)).rejects.toThrow('line 1 is not a commit');
  expect(readFileSync(path, 'utf8')).toBe(damaged);
});
