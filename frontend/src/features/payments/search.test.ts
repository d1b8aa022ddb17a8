import { expect, test } from 'vitest';
import { readPaymentsSearch } from './search.ts';

test('reads from the address what the API would accept', () => {
  expect(
    readPaymentsSearch({ status: 'refunded', purpose: 'packet', attention: true, search: 1042 }),
  ).toEqual({
    status: 'refunded',
    purpose: 'packet',
    attention: true,
    search: '1042',
  });
  expect(readPaymentsSearch({ status: 'x', purpose: 'x', attention: 'yes', search: '' })).toEqual(
    {},
  );
});
