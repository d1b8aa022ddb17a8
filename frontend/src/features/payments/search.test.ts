import { expect, test } from 'vitest';
import { readPaymentsSearch } from './search.ts';

test('the address is taken where the API would take it', () => {
  expect(readPaymentsSearch({ status: 'refunded', attention: true, search: 1042 })).toEqual({
    status: 'refunded',
    attention: true,
    search: '1042',
  });
  expect(readPaymentsSearch({ status: 'x', attention: 'yes', search: '' })).toEqual({});
});
