import { Type, type Static } from 'typebox';
import { Closed, Ore, OrNull, Timestamp, Uuid } from './common.ts';

// The accounts for owners: what was sold and what went back, by day and month, compared with Stripe; the way from the
// free sample to practising. A day begins at midnight in Oslo.

export const MoneyQuery = Closed({
  period: Type.String({
    pattern: '^20[0-9]{2}(-(0[1-9]|1[0-2]))?$',
    description: 'A year, such as `2026`, shown by month; or a month, `2026-03`, shown by day.',
  }),
});
export type MoneyQuery = Static<typeof MoneyQuery>;

const FIGURES = {
  sales: Type.Integer({ minimum: 0, description: 'Receipts.' }),
  gross: Ore('Øre of the receipts, including VAT.'),
  refunded: Type.Integer({
    description: 'Øre that were refunded. Negative when more refunds failed than were made.',
  }),
  disputed: Type.Integer({
    description: 'Øre that disputes took, less what won ones gave back.',
  }),
  vat: Type.Integer({ description: 'Øre of VAT, after refunds and disputes.' }),
  net: Type.Integer({ description: 'Øre without VAT, after refunds and disputes.' }),
  fees: OrNull(
    Type.Integer({ description: "Øre of Stripe's fees." }),
    "Null while Stripe's balance was never read.",
  ),
};

const MoneyFigures = Closed(FIGURES);
export type MoneyFigures = Static<typeof MoneyFigures>;

const MoneyRow = Closed({
  period: Type.String({ description: 'A month, such as `2026-03`, or a day, `2026-03-14`.' }),
  ...FIGURES,
});
export type MoneyRow = Static<typeof MoneyRow>;

const MethodRow = Closed({
  method: OrNull(
    Type.String({ description: 'As Stripe names it: `card`, `apple_pay`, `google_pay`, `vipps`.' }),
    'Null for payments whose method is not known.',
  ),
  ...FIGURES,
});
export type MethodRow = Static<typeof MethodRow>;

const Difference = Closed({
  payment_id: Uuid,
  receipt_number: OrNull(Type.Integer()),
  books: Type.Integer({
    description: 'Øre of the payment in our books, after all that went back.',
  }),
  stripe: Type.Integer({ description: "The same in Stripe's balance, before fees." }),
});

export const MoneyResponse = Closed({
  rows: Type.Array(MoneyRow, { description: 'Newest first, up to today.' }),
  total: MoneyFigures,
  methods: Type.Array(MethodRow, { description: 'By amount, the largest first.' }),
  first_year: OrNull(Type.Integer(), 'The year of the first receipt; null before it.'),
  stripe: Closed({
    read_at: OrNull(Timestamp, "When Stripe's balance was last read; null for never."),
    compared: Type.Integer({
      minimum: 0,
      description: 'Payments of all time whose sum was compared.',
    }),
    differing: Type.Integer({ minimum: 0 }),
    differences: Type.Array(Difference, { description: 'At most 20, the newest first.' }),
  }),
});
export type MoneyResponse = Static<typeof MoneyResponse>;

/** A count of people. Fewer than five, none included, are not told apart. */
const Few = Type.Union([Type.Integer({ minimum: 5 }), Type.Literal('<5')]);
export type Few = Static<typeof Few>;

const STEPS = {
  sample: Few,
  registered: Few,
  paid: Few,
  first_quiz: Few,
  came_back: Few,
};

export const FunnelResponse = Closed({
  rows: Type.Array(Closed({ period: Type.String(), ...STEPS }), {
    description:
      'Newest first. `sample`: openings of the free sample; `registered`: addresses that began a registration, ' +
      'also without payment; `paid`: accounts that paid for the first time; `first_quiz`: accounts that began ' +
      'their first quiz; `came_back`: accounts that practised on a second day. Each is counted when it happens ' +
      'and stays when the account is deleted. Days with fewer than five are part of a sum in whole fives only.',
  }),
  total: Closed(STEPS),
});
export type FunnelResponse = Static<typeof FunnelResponse>;
