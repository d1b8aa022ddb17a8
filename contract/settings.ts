import { type Static, Type } from 'typebox';
import { Closed, Email, OrNull, QuestionLanguage, Timestamp } from './common.ts';
import { MAX_PRICE_NOK, MAX_SERVICE_DAYS } from './limits.ts';
import { Exam } from './quiz.ts';

// Settings of administrators: price, seller and contact, the parameters of practice tests, languages of the bank.

const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

const Price = Type.Number({
  minimum: 0,
  maximum: MAX_PRICE_NOK,
  description:
    'NOK including VAT, at most two decimals; 0 makes the service free, otherwise at least 3.00.',
});
const ServiceDays = Type.Integer({
  minimum: 1,
  maximum: MAX_SERVICE_DAYS,
  description: 'Days of service that one payment gives.',
});

/** What the law requires a seller to disclose; null until it is entered. */
const Seller = {
  seller_name: OrNull(Line(200)),
  seller_organisation_number: OrNull(
    Type.String({ pattern: '^[0-9]{9}$' }),
    'Nine digits; the last one is a check digit.',
  ),
  seller_address: OrNull(Line(500)),
  seller_vat_registered: Type.Boolean({ description: 'Whether the price contains VAT.' }),
};

const SupportEmail = OrNull(
  Email,
  'The address that learners see; null for that of the installation.',
);

export const SettingsResponse = Closed({
  price: Price,
  service_days: ServiceDays,
  ...Seller,
  support_email: SupportEmail,
  support_email_in_use: Type.String({ description: 'The address that learners see now.' }),
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed something; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()], {
    description: 'The address of that administrator.',
  }),
});
export type SettingsResponse = Static<typeof SettingsResponse>;

/**
 * Fields that are left out stay as they are. A caller that sends only changed fields does not overwrite
 * concurrent changes of other fields.
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
    description: 'How many of the questions shown count in the score.',
  }),
  pass_mark: Type.Integer({
    minimum: 1,
    maximum: 200,
    description: 'Right answers needed to pass, of the questions that count.',
  }),
  minutes: Type.Integer({ minimum: 1, maximum: 300 }),
};

const Source = {
  source_url: Type.String({
    pattern: '^https?://[^\\s/]+[.][^\\s]+$',
    maxLength: 2000,
    description: 'Where these parameters are published.',
  }),
  checked_at: Type.String({
    format: 'date',
    pattern: '^20',
    description: 'The day of the last comparison with the source; not in the future.',
  }),
};

/** The parameters of a practice test, with their source. */
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

/** The part of an exam profile that learners see. */
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
  fallback: OrNull(
    QuestionLanguage,
    'The language that fills up a practice test where the bank has too few questions in this one; null for none.',
  ),
};

/** A language in which learners can practise. */
export const OfferedLanguage = Closed(Facts);
export type OfferedLanguage = Static<typeof OfferedLanguage>;

/** A language of the question bank. */
export const BankLanguage = Closed({
  ...Facts,
  offered: Type.Boolean({ description: 'Whether learners can practise in it.' }),
  validated: Type.Integer({ description: 'Validated questions in it that are not retired.' }),
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed it; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()]),
});
export type BankLanguage = Static<typeof BankLanguage>;

export const LanguagesResponse = Closed({
  languages: Type.Array(BankLanguage, {
    description: 'The languages of the bank, and known languages without questions, by name.',
  }),
});
export type LanguagesResponse = Static<typeof LanguagesResponse>;

export const LanguageParams = Closed({ code: QuestionLanguage });

export const OfferLanguageRequest = Closed({
  offered: Type.Boolean({ description: 'False withdraws the language.' }),
});
export type OfferLanguageRequest = Static<typeof OfferLanguageRequest>;
