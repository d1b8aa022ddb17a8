import type {
  DecideRowRequest,
  Import,
  ImportAnswer,
  ImportEditsResponse,
  ImportPreview,
  ImportRowsResponse,
  ImportsResponse,
} from '@proveklar/contract/imports.ts';
import { CSV_COLUMNS } from '@proveklar/services/questions/csv-format.ts';
import type { OperationDocs } from './operation.ts';
import { PICTURE_ALT, PICTURE_URI, QUESTIONS } from './values.ts';

export const IMPORT_ID = '5b1f6a0e-93c4-4d27-8e5a-1c7f0d2b9a64';
export const ADMIN_EMAIL = 'admin@example.no';
const PATH = { id: IMPORT_ID };

const FILE = QUESTIONS.map(({ language, topic, question, answer, incorrect }) => ({
  language,
  topic,
  question,
  answer,
  incorrect: [...incorrect],
  source_title: 'Store norske leksikon',
  incorrect_reasons: [null, 'Da var det krig.', null],
  excludes: ['stemmerett-1913'],
  valid_from: '1814-05-17',
  ages: 2030,
  image: PICTURE_URI,
  image_alt: PICTURE_ALT,
  areas: [answer, ...incorrect].map((name, place) => ({
    name,
    shape: `${20 * place},10 ${20 * place + 15},10 ${20 * place + 7.5},40`,
  })),
}));
const bytesOf = (file: object) => new TextEncoder().encode(JSON.stringify(file)).length;
const BYTES = bytesOf(FILE);

/** Two rows with the same text, and different answers. */
export const DIFFERING_FILE = ['1814', '1815'].map((answer) => ({
  language: 'no',
  topic: 'Historie',
  question: QUESTIONS[0].question,
  answer,
  incorrect: ['1905', '1945'],
}));

/** A file with two questions. */
export const COMPLETED: Import = {
  id: IMPORT_ID,
  state: 'completed',
  dry_run: false,
  on_duplicate: 'skip',
  format: 'json',
  file_name: null,
  imported_by: ADMIN_EMAIL,
  created_at: '2026-01-15T09:00:00.000Z',
  received_at: '2026-01-15T09:00:00.100Z',
  ended_at: '2026-01-15T09:00:00.300Z',
  read_at: '2026-01-15T09:00:00.290Z',
  bytes_total: BYTES,
  bytes_received: BYTES,
  bytes_done: BYTES - 1,
  rows: 2,
  imported: 2,
  updated: 0,
  duplicates: 0,
  rejected: 0,
  repeated: 0,
  differing: 0,
  warned: 0,
  cleaned: 0,
  columns: null,
  not_offered: [],
  refusal: null,
  is_removed: false,
  undone_by: null,
  resumable_until: null,
  is_report_deleted: false,
  near_duplicates: { state: 'waiting', checked: 0, total: 2, found: 0 },
};
const PROCESSING: Import = {
  ...COMPLETED,
  state: 'processing',
  ended_at: null,
  read_at: null,
  bytes_done: 0,
  rows: 0,
  imported: 0,
  near_duplicates: null,
};

export const importQuestions: OperationDocs<unknown, ImportAnswer> = {
  operationId: 'importQuestions',
  description:
    'The body is a JSON array of questions, or CSV (`text/csv`), of up to 2 GB, or an Excel workbook of up to 50 MB; it is ' +
    'streamed. JSON and CSV may be packed with gzip (at most 1 GB and 200 times its size, unpacked). Valid ' +
    'rows are imported, pending validation; invalid rows are rejected one by one and listed in the ' +
    'report. Texts with invisible characters, HTML tags or letters of a wrong encoding are cleaned where ' +
    'that loses nothing, with a warning. Questions in a language that is not offered to learners are imported with a warning; ' +
    '`not_offered` of the import counts them. A file that is not a JSON array is refused as a whole. The ' +
    'response waits up to 20 seconds for the import (`Prefer: wait=N`, `Prefer: respond-async`); after ' +
    'that it is 202, and `Location` is the URL to poll.',
  examples: {
    goes_on: {
      summary:
        'Two questions, without waiting for the import (`columns` and `sheet` are for tables)',
      query: {
        dry_run: false,
        on_duplicate: 'skip',
        file_name: 'questions.json',
        columns: 'language,topic,question,answer,incorrect_1',
        sheet: 'Ark1',
      },
      headers: { prefer: 'respond-async', 'idempotency-key': IMPORT_ID },
      body: FILE,
      status: 202,
      answer: {
        message: 'The import is still running',
        count: 0,
        import_id: IMPORT_ID,
        import: { ...PROCESSING, file_name: 'questions.json' },
      },
    },
    again: {
      summary: 'Repeated with the same key after completion: nothing is imported twice',
      query: { dry_run: false, on_duplicate: 'skip', file_name: 'questions.json' },
      headers: { prefer: 'respond-async', 'idempotency-key': IMPORT_ID },
      body: FILE,
      answer: {
        message: 'Imported 2 questions',
        count: 2,
        import_id: IMPORT_ID,
        import: { ...COMPLETED, file_name: 'questions.json' },
      },
    },
  },
  errors: {
    import_refused: {
      details: {
        import_id: IMPORT_ID,
        reason: 'cut_off',
        row: null,
        byte: 1,
        line: 1,
        column: 2,
        excerpt: '[',
        missing: [],
        unknown: [],
      },
    },
    import_failed: {},
  },
};

export const previewImport: OperationDocs<unknown, ImportPreview> = {
  operationId: 'previewImport',
  description:
    'The first rows and, for a table, what its columns are. Send the beginning of a JSON or CSV file, which may be packed ' +
    'with gzip, or a whole workbook. Nothing is stored. `columns` of the request replaces what the headings say.',
  examples: {
    json: {
      summary: 'Two questions as JSON (`columns` and `sheet` are for tables)',
      query: { columns: 'language,topic,question,answer,incorrect_1', sheet: 'Ark1' },
      body: FILE,
      answer: {
        columns: null,
        fields: [...CSV_COLUMNS],
        missing: [],
        sheets: [],
        rows: FILE.map(({ language, topic, question, answer, incorrect }, place) => ({
          row: place + 1,
          language,
          topic,
          question,
          answer,
          incorrect,
          faults: [],
        })),
      },
    },
  },
  errors: {
    import_refused: { details: { reason: 'cut_off', row: null, byte: 1 } },
  },
};

export const listImports: OperationDocs<never, ImportsResponse> = {
  operationId: 'listImports',
  description: 'With the importer, the counts and the state of each.',
  examples: {
    one: {
      summary: 'One import',
      query: { page: 1 },
      answer: { imports: [COMPLETED], total: 1, page: 1 },
    },
  },
};

export const readImport: OperationDocs<never, Import> = {
  operationId: 'readImport',
  description:
    'The live topic `imports` announces changes. `bytes_done` of `bytes_total` is its progress.',
  examples: { completed: { summary: 'A completed import', path: PATH, answer: COMPLETED } },
  errors: { import_not_found: {} },
};

export const readImportEdits: OperationDocs<never, ImportEditsResponse> = {
  operationId: 'readImportEdits',
  description: 'To be shown before `undo`.',
  examples: { none: { summary: 'No question was edited', path: PATH, answer: { edited: 0 } } },
  errors: { import_not_found: {} },
};

const STEP_ERRORS = { import_not_found: {}, import_state: { details: { state: 'undone' } } };

export const cancelImport: OperationDocs<null, Import> = {
  operationId: 'cancelImport',
  description: 'Its questions are removed in the background.',
  examples: {
    cancelled: {
      summary: 'A running import',
      path: PATH,
      answer: { ...PROCESSING, state: 'cancelled', ended_at: '2026-01-15T09:00:00.300Z' },
    },
  },
  errors: STEP_ERRORS,
};

export const confirmImport: OperationDocs<null, Import> = {
  operationId: 'confirmImport',
  description: 'The file need not be sent again: its rows are stored, hidden.',
  examples: {
    confirmed: {
      summary: 'A completed dry run',
      path: PATH,
      answer: { ...COMPLETED, state: 'processing', ended_at: null, near_duplicates: null },
    },
  },
  errors: STEP_ERRORS,
};

export const discardImport: OperationDocs<null, Import> = {
  operationId: 'discardImport',
  description: 'A dry run is also discarded when the next import starts.',
  examples: {
    discarded: {
      summary: 'A completed dry run',
      path: PATH,
      answer: { ...COMPLETED, dry_run: true, state: 'discarded', near_duplicates: null },
    },
  },
  errors: STEP_ERRORS,
};

export const undoImport: OperationDocs<null, Import> = {
  operationId: 'undoImport',
  description:
    'Questions that no quiz has used are deleted, the others retired; updated questions are reverted.',
  examples: {
    undoing: {
      summary: 'A completed import',
      path: PATH,
      answer: { ...COMPLETED, state: 'undoing', undone_by: ADMIN_EMAIL, near_duplicates: null },
    },
  },
  errors: STEP_ERRORS,
};

export const decideImportRow: OperationDocs<DecideRowRequest, Import> = {
  operationId: 'decideImportRow',
  description:
    'For the rows of `outcome=differing`, of a dry run or a completed import. The decisions of a dry run take effect when ' +
    'it is confirmed. Undoing the import reverts them.',
  examples: {
    added: {
      summary: 'Added with another text',
      path: { ...PATH, row: 2 },
      body: { action: 'add', question: 'Hvilket år ble Grunnloven skrevet under?' },
      answer: {
        ...COMPLETED,
        bytes_total: bytesOf(DIFFERING_FILE),
        bytes_received: bytesOf(DIFFERING_FILE),
        bytes_done: bytesOf(DIFFERING_FILE) - 1,
        near_duplicates: { state: 'waiting', checked: 0, total: 1, found: 0 },
      },
    },
  },
  errors: {
    import_not_found: {},
    import_state: { details: { state: 'undone' } },
    import_row_not_open: {},
    question_duplicate: { details: { field: 'question', question_id: 1, uuid: QUESTIONS[0].uuid } },
  },
};

export const listImportRows: OperationDocs<never, ImportRowsResponse> = {
  operationId: 'listImportRows',
  description:
    'Rejected rows with their faults, duplicates, and rows that were imported with a warning, each with its line and ' +
    'the text that it is about. As CSV: `GET /api/v1/admin/imports/{id}/report`. The rejected rows in the format of ' +
    'the file, with a reason each, ready to be corrected and sent again: `GET /api/v1/admin/imports/{id}/rejected-rows`. ' +
    'Both take `lng`, the language of their words.',
  examples: {
    rejected: {
      summary: 'A row without an answer',
      path: PATH,
      query: { outcome: 'rejected', after: 0 },
      answer: {
        rows: [
          {
            row: 2,
            line: 1,
            outcome: 'rejected',
            question: QUESTIONS[1].question,
            faults: [{ field: 'answer', reason: 'missing', value: null }],
            warnings: [],
            question_id: null,
            repeats: null,
            differs: null,
          },
        ],
        next_after: null,
      },
    },
    warned: {
      summary: 'A row in Polish, which is not offered to learners',
      path: PATH,
      query: { outcome: 'warned', after: 0 },
      answer: {
        rows: [
          {
            row: 1,
            line: 1,
            outcome: 'imported',
            question: QUESTIONS[0].question,
            faults: [],
            warnings: [
              { field: 'language', reason: 'language_not_offered', value: 'pl', cleaned: false },
            ],
            question_id: 1,
            repeats: null,
            differs: null,
          },
        ],
        next_after: null,
      },
    },
  },
  errors: { import_not_found: {} },
};
