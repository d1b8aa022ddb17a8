import { Type, type Static } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';
import {
  MAX_GLOSSARY_ENTRIES,
  MAX_GLOSSARY_EXPLANATION_LENGTH,
  MAX_GLOSSARY_FILE_LENGTH,
  MAX_GLOSSARY_FORMS,
  MAX_GLOSSARY_WORD_LENGTH,
} from './limits.ts';

// The glossary: hard words of questions, explained to learners in plain Norwegian and in English.

const Word = Type.String({
  minLength: 1,
  maxLength: MAX_GLOSSARY_WORD_LENGTH,
  description: 'Words of letters and digits, with single spaces or hyphens between them.',
});
const Explanation = (language: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_GLOSSARY_EXPLANATION_LENGTH,
    pattern: '\\S',
    description: `What the word means, in ${language}.`,
  });

const CONTENT = {
  word: Word,
  forms: Type.Array(Word, {
    maxItems: MAX_GLOSSARY_FORMS,
    description: 'Inflected forms that texts have. A compound is found only when it is a form.',
  }),
  norwegian: Explanation('plain Norwegian'),
  english: Explanation('English'),
};

export const GlossaryContent = Closed(CONTENT);
export type GlossaryContent = Static<typeof GlossaryContent>;

/** What learners' browsers match with the texts of questions. */
export const GlossaryResponse = Closed({
  entries: Type.Array(GlossaryContent, { maxItems: MAX_GLOSSARY_ENTRIES }),
});
export type GlossaryResponse = Static<typeof GlossaryResponse>;

/** An entry as an administrator sees it. */
export const GlossaryEntry = Closed({
  id: Uuid,
  ...CONTENT,
  revision: Type.Integer({ minimum: 1, description: 'Every change increments it.' }),
  updated_at: Timestamp,
  updated_by: Type.String({
    description: 'The administrator, or the program, that last changed it.',
  }),
});
export type GlossaryEntry = Static<typeof GlossaryEntry>;

/** What `updated_by` has for a word of our bank's glossary that no administrator has changed. */
export const BANK_GLOSSARY = 'bank';

export const GlossaryParams = Closed({ id: Uuid });

export const GlossaryQuery = Closed({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A part of a word, of a form or of an explanation.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});

/** The response for an administrator: 50 entries a page, in Norwegian alphabetical order. */
export const GlossaryListResponse = Closed({
  entries: Type.Array(GlossaryEntry),
  total: Type.Integer({ minimum: 0, description: 'Entries that match.' }),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer({ minimum: 1 }),
});
export type GlossaryListResponse = Static<typeof GlossaryListResponse>;

export const ChangeGlossaryRequest = Closed({
  ...CONTENT,
  revision: Type.Integer({
    minimum: 1,
    description:
      'The revision that was edited; 409 `glossary_changed` if it is no longer the current one.',
  }),
});
export type ChangeGlossaryRequest = Static<typeof ChangeGlossaryRequest>;

/** Why a row of a file was rejected. */
const GLOSSARY_FAULTS = [
  'missing',
  'too_long',
  'too_many',
  'not_a_word',
  'repeated',
  'taken',
  'glossary_full',
  'too_many_cells',
] as const;

const GlossaryFault = Closed({
  row: Type.Integer({ minimum: 1, description: 'As a spreadsheet counts: the header is row 1.' }),
  word: Type.String({ description: 'The word of the row; empty if it has none.' }),
  field: Type.String({ description: 'The column; empty for the whole row.' }),
  reason: Type.Enum(GLOSSARY_FAULTS),
  value: Type.String({ description: 'The form that is not a word or is taken; otherwise empty.' }),
});
export type GlossaryFault = Static<typeof GlossaryFault>;

export const GlossaryImportRequest = Closed({
  csv: Type.String({
    maxLength: MAX_GLOSSARY_FILE_LENGTH,
    description:
      'RFC 4180 with a header: `word`, `norwegian`, `english` and, if there are any, `forms`, separated by `|`; comma, semicolon or tab.',
  }),
});
export type GlossaryImportRequest = Static<typeof GlossaryImportRequest>;

export const GlossaryImportResponse = Closed({
  created: Type.Integer({ minimum: 0 }),
  updated: Type.Integer({ minimum: 0, description: 'Words that the glossary had, now changed.' }),
  unchanged: Type.Integer({ minimum: 0 }),
  rejected: Type.Array(GlossaryFault, {
    description: 'The rows that were not saved, each with its first fault, in order.',
  }),
});
export type GlossaryImportResponse = Static<typeof GlossaryImportResponse>;

export const ApplyBankGlossaryResponse = Closed({
  created: Type.Integer({ minimum: 0 }),
  updated: Type.Integer({
    minimum: 0,
    description:
      'Words of an earlier version that no administrator has changed, now as in this one.',
  }),
  kept: Type.Integer({ minimum: 0, description: 'Words of the bank that were left as they are.' }),
});
export type ApplyBankGlossaryResponse = Static<typeof ApplyBankGlossaryResponse>;

export const UndoGlossaryResponse = Closed({
  deleted: Type.Integer({ minimum: 0 }),
});
export type UndoGlossaryResponse = Static<typeof UndoGlossaryResponse>;
