import { Type, type Static, type TSchema } from 'typebox';
import { Closed, Email, Timestamp } from './common.ts';

const OrNull = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);
const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

const Price = Type.Number({
  minimum: 0,
  maximum: 99_999.99,
  description:
    'NOK including VAT, two decimals at most; 0 makes the service free, and the least that can be charged is 3.00.',
});
const ServiceDays = Type.Integer({
  minimum: 1,
  maximum: 3650,
  description: 'Days of service that one payment gives.',
});

/** What the law asks a seller to tell of itself; null until it was filled in. */
const Seller = {
  seller_name: OrNull(Line(200)),
  seller_organisation_number: OrNull(Type.String({ pattern: '^[0-9]{9}$' }), {
    description: 'Nine digits, of which the last is a check digit.',
  }),
  seller_address: OrNull(Line(500)),
  seller_vat_registered: Type.Boolean({ description: 'Whether the price contains VAT.' }),
};

const SupportEmail = OrNull(Email, {
  description: "The address that learners are shown; null for the installation's own.",
});

export const SettingsResponse = Closed({
  price: Price,
  service_days: ServiceDays,
  ...Seller,
  support_email: SupportEmail,
  support_email_in_use: Type.String({ description: 'What learners are shown now.' }),
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed something; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()], {
    description: 'The address of the administrator who did.',
  }),
});
export type SettingsResponse = Static<typeof SettingsResponse>;

/**
 * What is left out stays as it is. Whoever sends only what they changed does not undo what somebody
 * else changed meanwhile.
 */
export const SettingsRequest = Closed({
  price: Type.Optional(Price),
  service_days: Type.Optional(ServiceDays),
  seller_name: Type.Optional(Seller.seller_name),
  seller_organisation_number: Type.Optional(Seller.seller_organisation_number),
  seller_address: Type.Optional(Seller.seller_address),
  seller_vat_registered: Type.Optional(Seller.seller_vat_registered),
  support_email: Type.Optional(SupportEmail),
});
export type SettingsRequest = Static<typeof SettingsRequest>;
