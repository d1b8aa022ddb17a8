import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysTakenBack } from './books/record-stripe-state.ts';
import { type WithdrawalBasis, withdrawalOf } from './purchases.ts';

const HOUR = 60 * 60 * 1000;
const BOUGHT = new Date('2026-11-02T12:00:00Z');
const after = (hours: number) => new Date(BOUGHT.getTime() + hours * HOUR);

const payment: WithdrawalBasis['payment'] = {
  amount_ore: 149_00,
  refunded_ore: 0,
  service_days: 30,
  settled_at: BOUGHT,
  intent_status: 'succeeded',
  dispute: null,
  consent_version: 'no-2026-11',
};
const basis: WithdrawalBasis = { payment, refunds: [], credit: { starts_at: BOUGHT } };

const refundAfter = (hours: number, change: Partial<WithdrawalBasis['payment']> = {}) =>
  withdrawalOf({ ...basis, payment: { ...payment, ...change } }, after(hours))?.refund_ore;

describe('the refund of a withdrawal', () => {
  test('is the amount less the full days that were used', () => {
    expect(refundAfter(0)).toBe(149_00);
    expect(refundAfter(23.99)).toBe(149_00);
    expect(refundAfter(24)).toBe(149_00 - 4_96);
    expect(refundAfter(10 * 24)).toBe(149_00 - 49_66);
  });

  test('is the whole amount without consent to an immediate start', () => {
    expect(refundAfter(10 * 24, { consent_version: null })).toBe(149_00);
  });

  test('is the whole amount while an earlier purchase still runs', () => {
    const waiting = { ...basis, credit: { starts_at: after(20 * 24) } };
    expect(withdrawalOf(waiting, after(10 * 24))?.refund_ore).toBe(149_00);
  });

  test('is reduced by earlier and requested refunds', () => {
    expect(refundAfter(0, { refunded_ore: 50_00 })).toBe(99_00);
    const refunds = [{ amount_ore: 40_00, state: 'requested', reason: 'administrator' }] as const;
    const refunded = { ...payment, refunded_ore: 50_00 };
    expect(withdrawalOf({ ...basis, payment: refunded, refunds }, BOUGHT)?.refund_ore).toBe(59_00);
  });

  const purchases = fc.record({
    amount_ore: fc.integer({ min: 300, max: 99_999_99 }),
    service_days: fc.integer({ min: 1, max: 3650 }),
    refundedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    consent_version: fc.constantFrom(null, 'no-2026-11'),
    startsAfter: fc.integer({ min: -14 * 24, max: 400 * 24 }),
    hours: fc.integer({ min: 0, max: 14 * 24 }),
  });

  test('never exceeds the amount paid, and ends the access at once', () => {
    const property = fc.property(purchases, ({ refundedShare, startsAfter, hours, ...terms }) => {
      const refunded_ore = Math.floor(terms.amount_ore * refundedShare);
      const bought = { ...payment, ...terms, refunded_ore };
      const starts_at = after(startsAfter);
      const now = after(hours);
      const withdrawal = withdrawalOf({ payment: bought, refunds: [], credit: { starts_at } }, now);
      if (!withdrawal) return;
      expect(Number.isInteger(withdrawal.refund_ore)).toBe(true);
      expect(withdrawal.refund_ore).toBeGreaterThan(0);
      const all = refunded_ore + withdrawal.refund_ore;
      expect(all).toBeLessThanOrEqual(bought.amount_ore);
      const daysLeft = bought.service_days - daysTakenBack({ ...bought, refunded_ore: all });
      const ends = starts_at.getTime() + daysLeft * 24 * HOUR;
      // A credit that has not started keeps no days.
      expect(ends).toBeLessThanOrEqual(Math.max(now.getTime(), starts_at.getTime()));
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

describe('withdrawal is not possible', () => {
  // Bought on a Monday, so the last day is a Monday.
  test('after the last moment of the last day', () => {
    const last = new Date('2026-11-16T22:59:59.999Z');
    expect(withdrawalOf(basis, last)).toMatchObject({ until: last });
    expect(withdrawalOf(basis, new Date(last.getTime() + 1))).toBeNull();
  });

  test('when all days are used', () => {
    expect(refundAfter(3 * 24, { service_days: 3 })).toBeUndefined();
  });

  test.each(['open', 'lost'] as const)('while a dispute is %s', (dispute) => {
    expect(refundAfter(0, { dispute })).toBeUndefined();
    expect(refundAfter(0, { dispute: 'won' })).toBe(149_00);
  });

  test.each(['requested', 'succeeded', 'failed'] as const)(
    'after a withdrawal that is %s',
    (state) => {
      const refunds = [{ amount_ore: 1_00, state, reason: 'withdrawal' }] as const;
      expect(withdrawalOf({ ...basis, refunds }, BOUGHT)).toBeNull();
    },
  );
});
