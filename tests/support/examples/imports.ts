import {
  ADMIN_EMAIL,
  DIFFERING_FILE,
  IMPORT_ID,
  importQuestions,
} from '@proveklar/gateway/openapi/examples/imports.ts';
import { CHUNK_BYTES, MAX_FILE_BYTES } from '@proveklar/contract/limits.ts';
import { QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import {
  UPLOADED_BYTES,
  UPLOADED_FILE,
} from '@proveklar/gateway/openapi/examples/import-uploads.ts';
import { stepImport } from '@proveklar/services/imports/end-import.ts';
import type { TestGateway } from '../gateway.ts';
import { beginUpload, sendFile, sendPart, workOn } from '../imports.ts';
import { signInAdmin, type Call, type SetUp, type SetUps } from './set-up.ts';

const FILE = importQuestions.examples.goes_on!.body as object[];
type ImportOptions = Parameters<typeof sendFile>[2];

async function asAdmin(gateway: TestGateway): Promise<Call & { token: string; email: string }> {
  const { email, token } = await signInAdmin(gateway);
  return { token, email, real: { [ADMIN_EMAIL]: email } };
}

/** The example's file was sent, and not processed. */
const sent =
  (options: ImportOptions = {}, file: string | object[] = FILE): SetUp =>
  async (gateway) => {
    const { email, real, ...call } = await asAdmin(gateway);
    const id = await sendFile(gateway.deps.db, file, { importedBy: email, ...options });
    return { ...call, real: { ...real, [IMPORT_ID]: id } };
  };

/** The file was sent and processed. */
const processed =
  (options?: ImportOptions, file?: string | object[]): SetUp =>
  async (gateway) => {
    const call = await sent(options, file)(gateway);
    await workOn(gateway.deps.db, call.real![IMPORT_ID]!);
    return call;
  };

const inState =
  (state: string): SetUp =>
  async (gateway) => {
    const call = await processed()(gateway);
    const values = [call.real![IMPORT_ID], state];
    await gateway.deps.db.query('update question_import set state = $2 where id = $1', values);
    return call;
  };

/** An upload in parts was begun, and so much of its file was sent. */
const begun =
  ({ bytes = UPLOADED_BYTES, sent: part = '', cancelled = false } = {}): SetUp =>
  async (gateway) => {
    const { db } = gateway.deps;
    const { email, real, ...call } = await asAdmin(gateway);
    const id = await beginUpload(db, bytes, { importedBy: email, fileName: 'questions.json' });
    if (part) await sendPart(db, { id, importedBy: email }, Buffer.from(part));
    if (cancelled) await stepImport(db, id, 'cancel', email);
    return { ...call, ...PART, real: { ...real, [IMPORT_ID]: id } };
  };

const PART = {
  bytes: UPLOADED_FILE,
  headers: { 'content-type': 'application/octet-stream' },
};

const [first, second] = FILE;
const { answer: _answer, ...withoutAnswer } = second as Record<string, unknown>;

/** Imports: the upload, the history, the report and the steps. */
export const importsSetUps: SetUps = {
  'importQuestions.goes_on': asAdmin,
  'importQuestions.again': processed({ fileName: 'questions.json' }),
  'importQuestions.import_refused': processed({}, '['),
  'importQuestions.import_failed': inState('failed'),
  'importQuestions.payload_too_large': async (gateway) => ({
    ...(await asAdmin(gateway)),
    headers: { 'content-length': String(MAX_FILE_BYTES + 1) },
  }),

  'previewImport.json': asAdmin,
  'previewImport.import_refused': async (gateway) => ({ ...(await asAdmin(gateway)), bytes: '[' }),
  'previewImport.payload_too_large': async (gateway) => ({
    ...(await asAdmin(gateway)),
    headers: { 'content-length': String(MAX_FILE_BYTES + 1) },
  }),

  'beginUpload.begun': asAdmin,
  'sendImportPart.whole': begun(),
  'sendImportPart.import_not_found': async (gateway) => ({ ...(await asAdmin(gateway)), ...PART }),
  'sendImportPart.import_state': begun({ cancelled: true }),
  'sendImportPart.import_upload_offset': async (gateway) => ({
    ...(await begun()(gateway)),
    headers: { ...PART.headers, 'upload-offset': '1' },
  }),
  'sendImportPart.import_upload_changed': async (gateway) => ({
    ...(await begun({ bytes: 2 * CHUNK_BYTES, sent: '['.padEnd(CHUNK_BYTES) })(gateway)),
    headers: { ...PART.headers, 'upload-offset': String(CHUNK_BYTES) },
  }),
  'sendImportPart.payload_too_large': async (gateway) => ({
    ...(await begun()(gateway)),
    headers: { ...PART.headers, 'content-length': String(MAX_FILE_BYTES + 1) },
  }),

  'listImports.one': processed(),
  'readImport.completed': processed(),
  'readImport.import_not_found': asAdmin,
  'readImportEdits.none': processed(),
  'readImportEdits.import_not_found': asAdmin,
  'listImportRows.rejected': processed({}, [first!, withoutAnswer]),
  'listImportRows.warned': processed({}, [{ ...first, language: 'pl' }]),
  'listImportRows.import_not_found': asAdmin,

  'decideImportRow.added': processed({}, DIFFERING_FILE),
  'decideImportRow.import_not_found': asAdmin,
  'decideImportRow.import_state': async (gateway) => {
    const call = await processed({}, DIFFERING_FILE)(gateway);
    await gateway.deps.db.query(`update question_import set state = 'undone'`);
    return call;
  },
  'decideImportRow.import_row_not_open': processed(),
  'decideImportRow.question_duplicate': async (gateway) => ({
    ...(await processed({}, DIFFERING_FILE)(gateway)),
    body: { action: 'add', question: QUESTIONS[0].question },
  }),

  'cancelImport.cancelled': sent(),
  'confirmImport.confirmed': processed({ dryRun: true }),
  'discardImport.discarded': processed({ dryRun: true }),
  'undoImport.undoing': processed(),
  ...Object.fromEntries(
    ['cancel', 'confirm', 'discard', 'undo'].flatMap((step) => [
      [`${step}Import.import_not_found`, asAdmin],
      [`${step}Import.import_state`, inState('undone')],
    ]),
  ),
};
