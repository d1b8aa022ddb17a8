import type { Ok } from '@proveklar/contract/common.ts';
import type { Static } from 'typebox';
import type {
  ApplyBankGlossaryResponse,
  ChangeGlossaryRequest,
  GlossaryContent,
  GlossaryEntry,
  GlossaryImportRequest,
  GlossaryImportResponse,
  GlossaryListResponse,
  GlossaryResponse,
  UndoGlossaryResponse,
} from '@proveklar/contract/glossary.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

export const GLOSSARY_ENTRY_ID = '7d0f3a61-52be-4c19-9a84-e6b1d27c9f30';
const PATH = { id: GLOSSARY_ENTRY_ID };

export const UNION: GlossaryContent = {
  word: 'fagforening',
  forms: ['fagforeningen'],
  norwegian: 'En gruppe ansatte som samarbeider om bedre lønn og trygghet på jobben.',
  english: 'trade union',
};
const ENTRY: GlossaryEntry = {
  id: GLOSSARY_ENTRY_ID,
  ...UNION,
  revision: 1,
  updated_at: '2026-01-20T09:00:00.000Z',
  updated_by: ADMIN_EMAIL,
};

export const readGlossary: OperationDocs<never, GlossaryResponse> = {
  operationId: 'readGlossary',
  description:
    'Public, because the free sample needs it. The whole glossary, for the browser to search the texts of questions for; cacheable, with an ETag.',
  examples: { one: { summary: 'A glossary of one word', answer: { entries: [UNION] } } },
};

export const listGlossary: OperationDocs<never, GlossaryListResponse> = {
  operationId: 'listGlossary',
  description: '50 on a page, in Norwegian alphabetical order.',
  examples: {
    found: {
      summary: 'The entries with "fag" in a word or an explanation',
      query: { search: 'fag', page: 1 },
      answer: { entries: [ENTRY], total: 1, page: 1, page_size: 50 },
    },
  },
};

export const createGlossaryEntry: OperationDocs<GlossaryContent, GlossaryEntry> = {
  operationId: 'createGlossaryEntry',
  description:
    'Learners see it within five minutes. A word, or a form, belongs to one entry: `glossary_word_taken` has the form in `details.value`, and the word of the entry that has it in `details.word`.',
  examples: { union: { summary: 'A word and one form', body: UNION, answer: ENTRY } },
  errors: {
    glossary_word_taken: {
      details: { field: 'word', value: UNION.word, word: UNION.word },
    },
  },
};

const CLEARER = 'En organisasjon som ansatte er med i for å få bedre lønn.';

export const changeGlossaryEntry: OperationDocs<ChangeGlossaryRequest, GlossaryEntry> = {
  operationId: 'changeGlossaryEntry',
  description: 'Replaces the content. Without a change nothing is written or recorded.',
  examples: {
    clearer: {
      summary: 'Another explanation',
      path: PATH,
      body: { ...UNION, norwegian: CLEARER, revision: 1 },
      answer: { ...ENTRY, norwegian: CLEARER, revision: 2 },
    },
  },
  errors: {
    not_found: {},
    glossary_changed: {},
    glossary_word_taken: {
      details: { field: 'forms', value: 'fagforeningen', word: UNION.word },
    },
  },
};

export const deleteGlossaryEntry: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'deleteGlossaryEntry',
  description: 'Learners see the word without an explanation within five minutes.',
  examples: { union: { summary: 'Delete a word', path: PATH, answer: { ok: true } } },
  errors: { not_found: {} },
};

export const importGlossary: OperationDocs<GlossaryImportRequest, GlossaryImportResponse> = {
  operationId: 'importGlossary',
  description:
    'Valid rows are saved in one transaction; each invalid row is named with its first fault. A row whose word the glossary has replaces that entry. Entries that the file lacks stay. `import_refused` has in `details.reason` why the file has no rows: `csv_header`, `not_csv` or `empty`.',
  examples: {
    one_bad: {
      summary: 'Two rows, one without an explanation in English',
      body: {
        csv: 'word;forms;norwegian;english\nfagforening;fagforeningen;En gruppe ansatte som samarbeider.;trade union\nstreik;;Ansatte slutter å jobbe en tid.;\n',
      },
      answer: {
        created: 1,
        updated: 0,
        unchanged: 0,
        rejected: [{ row: 3, word: 'streik', field: 'english', reason: 'missing', value: '' }],
      },
    },
  },
  errors: { import_refused: { details: { reason: 'csv_header' } } },
};

export const bringGlossary: OperationDocs<never, ApplyBankGlossaryResponse> = {
  operationId: 'bringGlossary',
  description:
    'Adds the words of the glossary that comes with our question bank, and updates those of an earlier version. A word that an administrator wrote or changed stays, and one whose form the glossary has is left out. Idempotent, but for words that were deleted: they come back.',
  examples: {
    first: {
      summary: 'Into an empty glossary',
      answer: { created: 2, updated: 0, kept: 0 },
    },
  },
};

export const undoGlossary: OperationDocs<never, UndoGlossaryResponse> = {
  operationId: 'undoGlossary',
  description: "Deletes the words of our bank's glossary that no administrator has changed.",
  examples: { all: { summary: 'None was changed', answer: { deleted: 2 } } },
};
