import type { Purchase } from '@proveklar/contract/payment.ts';
import { expect, test } from 'vitest';
import { disputedPurchases, isMoved, purchaseState } from './purchase-state.ts';

const SECOND = 1000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

const BOUGHT: Purchase = {
  id: '019bc0df-1f3a-7c52-9d0e-6a4f2b8c7e10',
  receipt_number: 1,
  paid_at: inMs(-60 * SECOND),
  amount: 14900,
  vat: 2980,
  service_days: 30,
  period: period(-60 * SECOND, 60 * SECOND),
  current_period: period(-60 * SECOND, 60 * SECOND),
  refunded: 0,
  state: 'paid',
  dispute: null,
  refunds: [],
  withdrawal_until: inMs(60 * SECOND),
  withdrawal: null,
};

function purchase(given: Partial<Purchase>): Purchase {
  return { ...BOUGHT, ...given };
}

function period(starts: number, ends: number): Purchase['period'] {
  return { starts_at: inMs(starts), ends_at: inMs(ends) };
}

test('a lost dispute explains missing days for as long as they would have lasted', () => {
  const running = period(-60 * SECOND, 60 * SECOND);
  const over = period(-90 * SECOND, -60 * SECOND);
  const shown = [
    purchase({ dispute: 'open', period: running }),
    purchase({ dispute: 'open', period: over }),
    purchase({ dispute: 'lost', period: running }),
  ];
  const others = [
    purchase({ dispute: 'lost', period: over }),
    purchase({ dispute: 'won', period: running }),
    purchase({ dispute: null, period: running }),
  ];
  expect(disputedPurchases([...shown, ...others])).toEqual(shown);
});

test('a lost dispute is no longer with the bank', () => {
  expect(purchaseState(purchase({ state: 'disputed', dispute: 'open' }))).toBe('disputed');
  expect(purchaseState(purchase({ state: 'disputed', dispute: 'lost' }))).toBe('dispute_lost');
});

test('a period has moved when either end differs by more than a minute', () => {
  const as = period(0, 1000 * SECOND);
  const isMovedTo = (current_period: Purchase['period']) =>
    isMoved(purchase({ period: as, current_period }));
  expect(isMovedTo(as)).toBe(false);
  expect(isMovedTo(period(30 * SECOND, 1030 * SECOND))).toBe(false);
  expect(isMovedTo(period(-90 * SECOND, 1000 * SECOND))).toBe(true);
  expect(isMovedTo(period(0, 0))).toBe(true);
});
