import { type Static, Type } from 'typebox';
import { Closed, Email, OrNull, QuestionLanguage, Timestamp } from './common.ts';
import { MAX_PRICE_NOK, MAX_SERVICE_DAYS } from './limits.ts';
import { Exam } from './quiz.ts';

// What administrators set: price, seller and contact, how practice tests are put together, languages of the bank.

const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

const Price = Type.Number({
  minimum: 0,
  maximum: MAX_PRICE_NOK,
  description:
    'NOK including VAT, two decimals at most; 0 makes the service free, and the least that can be charged is 3.00.',
});
const ServiceDays = Type.Integer({
  minimum: 1,
  maximum: MAX_SERVICE_DAYS,
  description: 'Days of service that one payment gives.',
});

/** What the law asks a seller to tell of itself; null until it was filled in. */
const Seller = {
  seller_name: OrNull(Line(200)),
  seller_organisation_number: OrNull(
    Type.String({ pattern: '^[0-9]{9}$' }),
    'Nine digits, of which the last is a check digit.',
  ),
  seller_address: OrNull(Line(500)),
  seller_vat_registered: Type.Boolean({ description: 'Whether the price contains VAT.' }),
};

const SupportEmail = OrNull(
  Email,
  "The address that learners are shown; null for the installation's own.",
);

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
 * What is left out stays as it is. A caller who sends only what they changed does not undo what another
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

const Numbers = {
  questions_shown: Type.Integer({ minimum: 1, maximum: 200 }),
  questions_counted: Type.Integer({
    minimum: 1,
    maximum: 200,
    description: 'How many of those shown count; at most as many as are shown.',
  }),
  pass_mark: Type.Integer({
    minimum: 1,
    maximum: 200,
    description: 'Right answers that pass, among those that count.',
  }),
  minutes: Type.Integer({ minimum: 1, maximum: 300 }),
};

const Source = {
  source_url: Type.String({
    pattern: '^https?://[^\\s/]+[.][^\\s]+$',
    maxLength: 2000,
    description: 'Where the figures are published.',
  }),
  checked_at: Type.String({
    format: 'date',
    pattern: '^20',
    description: 'The day on which they were last compared with the source; not in the future.',
  }),
};

/** How a practice test is put together, and where that is from. */
export const ExamProfile = Closed({
  name: Exam,
  ...Numbers,
  ...Source,
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed it; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()]),
});
export type ExamProfile = Static<typeof ExamProfile>;

/** What a learner is told of it. */
const ExamFacts = Closed({ name: Exam, ...Numbers, ...Source });
export type ExamFacts = Static<typeof ExamFacts>;

export const ExamsResponse = Closed({ exams: Type.Array(ExamFacts) });
export type ExamsResponse = Static<typeof ExamsResponse>;

export const ExamProfilesResponse = Closed({ exam_profiles: Type.Array(ExamProfile) });
export type ExamProfilesResponse = Static<typeof ExamProfilesResponse>;

export const ExamProfileParams = Closed({ name: Exam });

export const ExamProfileRequest = Closed({ ...Numbers, ...Source });
export type ExamProfileRequest = Static<typeof ExamProfileRequest>;

const Facts = {
  code: QuestionLanguage,
  name: Type.String({ description: 'In the language itself.' }),
  direction: Type.Union([Type.Literal('ltr'), Type.Literal('rtl')]),
};

/** A language in which learners can be asked. */
export const OfferedLanguage = Closed(Facts);
export type OfferedLanguage = Static<typeof OfferedLanguage>;

/** A language of the question bank. */
export const BankLanguage = Closed({
  ...Facts,
  offered: Type.Boolean({ description: 'Whether learners are asked questions in it.' }),
  validated: Type.Integer({ description: 'Questions in it that are validated, and not retired.' }),
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed it; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()]),
});
export type BankLanguage = Static<typeof BankLanguage>;

export const LanguagesResponse = Closed({
  languages: Type.Array(BankLanguage, {
    description: 'Those that questions are in, and those that are known and have none, by name.',
  }),
});
export type LanguagesResponse = Static<typeof LanguagesResponse>;

export const LanguageParams = Closed({ code: QuestionLanguage });

export const OfferLanguageRequest = Closed({
  offered: Type.Boolean({ description: 'False withdraws it.' }),
});
export type OfferLanguageRequest = Static<typeof OfferLanguageRequest>;
