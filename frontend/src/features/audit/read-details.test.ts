import { expect, test } from 'vitest';
import { readChanges, readFacts } from './read-details.ts';

test('what was changed is told from the facts that were kept with it', () => {
  const details = { changes: { price: { before: 149, after: 0 } }, reports: 0, dry_run: false };
  expect(readChanges(details)).toEqual([{ field: 'price', before: 149, after: 0 }]);
  expect(readFacts(details)).toEqual([{ field: 'reports', value: 0 }]);
});

test('details in another shape break nothing', () => {
  expect(readChanges({ changes: ['price'] })).toEqual([]);
  expect(readChanges({ changes: { price: 149 } })).toEqual([]);
  expect(readFacts({})).toEqual([]);
});
