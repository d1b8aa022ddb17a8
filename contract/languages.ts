import { Type, type Static } from 'typebox';
import { Closed, QuestionLanguage, Timestamp } from './common.ts';

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
