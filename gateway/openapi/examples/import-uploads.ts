import type { BeginUploadRequest, Import } from '@proveklar/contract/imports.ts';
import { COMPLETED, IMPORT_ID } from './imports.ts';
import type { OperationDocs } from './operation.ts';

/** A file of one question. */
export const UPLOADED_FILE =
  '[{"language":"no","topic":"Historie","question":"Når ble Norge fritt?","answer":"8. mai 1945","incorrect":["9. april 1940"]}]';
export const UPLOADED_BYTES = new TextEncoder().encode(UPLOADED_FILE).length;

const BEGUN: Import = {
  ...COMPLETED,
  state: 'receiving',
  file_name: 'questions.json',
  received_at: null,
  ended_at: null,
  read_at: null,
  bytes_total: UPLOADED_BYTES,
  bytes_received: 0,
  bytes_done: 0,
  rows: 0,
  imported: 0,
  near_duplicates: null,
  resumable_until: '2026-01-16T09:00:00.000Z',
};

export const beginUpload: OperationDocs<BeginUploadRequest, Import> = {
  operationId: 'beginUpload',
  description:
    'Then send the file with `sendPart`. Call it with an `Idempotency-Key`, which becomes the id: repeating the call ' +
    'returns the same import. `columns` and `sheet` are for tables.',
  examples: {
    begun: {
      summary: 'A small JSON file',
      headers: { 'idempotency-key': IMPORT_ID },
      body: {
        format: 'json',
        bytes: UPLOADED_BYTES,
        file_name: 'questions.json',
        dry_run: false,
        on_duplicate: 'skip',
        columns: 'language,topic,question,answer,incorrect_1',
        sheet: 'Ark1',
      },
      answer: BEGUN,
    },
  },
};

export const sendPart: OperationDocs<unknown, Import> = {
  operationId: 'sendImportPart',
  description:
    'The body is the file from `Upload-Offset` to its end, or to anywhere before it. After an interruption, read the ' +
    'import and go on at its `bytes_received`; `Upload-Checksum` shows that the file is still the same. The latest ' +
    'call is the one that sends: an older one that is still open stores nothing more. Only the person who began the ' +
    'import can resume it, within 24 hours; meanwhile nothing of it is in the bank.',
  examples: {
    whole: {
      summary: 'The whole file at once; the checksum is for a later part',
      path: { id: IMPORT_ID },
      headers: { 'upload-offset': 0, 'upload-checksum': '0'.repeat(64) },
      body: UPLOADED_FILE,
      answer: {
        ...BEGUN,
        state: 'processing',
        bytes_received: UPLOADED_BYTES,
        received_at: '2026-01-15T09:00:00.100Z',
        resumable_until: null,
      },
    },
  },
  errors: {
    import_not_found: {},
    import_state: { details: { state: 'cancelled' } },
    import_upload_offset: { details: { offset: 0 } },
    import_upload_changed: {},
  },
};
