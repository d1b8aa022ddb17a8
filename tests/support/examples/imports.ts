import {
  ADMIN_EMAIL,
  IMPORT_ID,
  importQuestions,
} from '@proveklar/gateway/openapi/examples/imports.ts';
import { MAX_FILE_BYTES } from '@proveklar/services/imports/receive-import.ts';
import type { TestGateway } from '../gateway.ts';
import { sendFile, workOn } from '../imports.ts';
import { signInAdmin, type Call, type SetUp, type SetUps } from './set-up.ts';

const FILE = importQuestions.examples.goes_on!.body as object[];
type Wish = Parameters<typeof sendFile>[2];

async function asAdmin(gateway: TestGateway): Promise<Call & { token: string; email: string }> {
  const { email, token } = await signInAdmin(gateway);
  return { token, email, real: { [ADMIN_EMAIL]: email } };
}

/** The example's file was sent; nobody has worked on it. */
const sent =
  (wish: Wish = {}, file: string | object[] = FILE): SetUp =>
  async (gateway) => {
    const { email, real, ...call } = await asAdmin(gateway);
    const id = await sendFile(gateway.deps.db, file, { importedBy: email, ...wish });
    return { ...call, real: { ...real, [IMPORT_ID]: id } };
  };

/** It was sent and worked on. */
const done =
  (wish?: Wish, file?: string | object[]): SetUp =>
  async (gateway) => {
    const call = await sent(wish, file)(gateway);
    await workOn(gateway.deps.db, call.real![IMPORT_ID]!);
    return call;
  };

const inState =
  (state: string): SetUp =>
  async (gateway) => {
    const call = await done()(gateway);
    const values = [call.real![IMPORT_ID], state];
    await gateway.deps.db.query('update question_import set state = $2 where id = $1', values);
    return call;
  };

const [first, second] = FILE;
const { answer: _answer, ...withoutAnswer } = second as Record<string, unknown>;

/** Imports: the upload, the history, the report and the steps. */
export const importsSetUps: SetUps = {
  'importQuestions.goes_on': asAdmin,
  'importQuestions.again': done({ fileName: 'questions.json' }),
  'importQuestions.import_refused': done({}, '['),
  'importQuestions.import_failed': inState('failed'),
  'importQuestions.payload_too_large': async (gateway) => ({
    ...(await asAdmin(gateway)),
    headers: { 'content-length': String(MAX_FILE_BYTES + 1) },
  }),

  'listImports.one': done(),
  'readImport.completed': done(),
  'readImport.import_not_found': asAdmin,
  'listImportRows.rejected': done({}, [first!, withoutAnswer]),
  'listImportRows.warned': done({}, [{ ...first, language: 'pl' }]),
  'listImportRows.import_not_found': asAdmin,

  'cancelImport.cancelled': sent(),
  'confirmImport.confirmed': done({ dryRun: true }),
  'discardImport.discarded': done({ dryRun: true }),
  'undoImport.undoing': done(),
  ...Object.fromEntries(
    ['cancel', 'confirm', 'discard', 'undo'].flatMap((step) => [
      [`${step}Import.import_not_found`, asAdmin],
      [`${step}Import.import_state`, inState('undone')],
    ]),
  ),
};
