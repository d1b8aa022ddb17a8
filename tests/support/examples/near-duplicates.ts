import { IMPORT_ID, importQuestions } from '@proveklar/gateway/openapi/examples/imports.ts';
import {
  NEW_ID,
  SIMILAR_IMPORT_ID,
  SIMILAR_TEXT,
} from '@proveklar/gateway/openapi/examples/near-duplicates.ts';
import { ADMIN_EMAIL, QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import { findNearDuplicates } from '@proveklar/services/near-duplicates/find-near-duplicates.ts';
import { cancelNearDuplicates } from '@proveklar/services/near-duplicates/near-duplicates.ts';
import type { TestGateway } from '../gateway.ts';
import { importFile } from '../imports.ts';
import { signInAdmin, type Call, type SetUps } from './set-up.ts';

const [{ id: _id, options: _options, ...FIRST }] = QUESTIONS;
const NEW = {
  language: FIRST.language,
  topic: FIRST.topic,
  question: SIMILAR_TEXT,
  answer: '1814',
  incorrect: ['1905', '1940'],
};

const asAdmin = async (gateway: TestGateway): Promise<Call> => ({
  token: (await signInAdmin(gateway)).token,
});

/** Two imports, the second of which brought a question like the first one's. */
async function imported(gateway: TestGateway): Promise<Call> {
  const { db } = gateway.deps;
  const { email, token } = await signInAdmin(gateway);
  const similar = await importFile(db, [FIRST], { importedBy: email });
  const { id } = await importFile(db, [NEW], { importedBy: email });
  const ids = { [SIMILAR_IMPORT_ID]: similar.id, [IMPORT_ID]: id };
  return { token, real: { [ADMIN_EMAIL]: email, ...ids } };
}

/** An import of the example's file, whose near-duplicates have not been searched. */
async function waiting(gateway: TestGateway): Promise<Call> {
  const { email, token } = await signInAdmin(gateway);
  const file = importQuestions.examples.goes_on!.body as object[];
  const { id } = await importFile(gateway.deps.db, file, { importedBy: email });
  return { token, real: { [ADMIN_EMAIL]: email, [IMPORT_ID]: id } };
}

async function searched(gateway: TestGateway): Promise<Call> {
  const call = await imported(gateway);
  const { db } = gateway.deps;
  const id = call.real![IMPORT_ID]!;
  await findNearDuplicates(db, id, async () => {});
  const { rows } = await db.query<{ id: number }>('select id from question where import_id = $1', [
    id,
  ]);
  return { ...call, path: { question: String(rows[0]!.id) }, real: { ...call.real } };
}

/** Near-duplicates: the list, cancelling, and keeping both. */
export const nearDuplicatesSetUps: SetUps = {
  'listNearDuplicates.one': async (gateway) => {
    const { path: _path, ...call } = await searched(gateway);
    return call;
  },
  'listNearDuplicates.import_not_found': asAdmin,
  'listSameAnswered.none': async (gateway) => {
    const { path: _path, ...call } = await searched(gateway);
    return call;
  },
  'listSameAnswered.import_not_found': asAdmin,
  'cancelNearDuplicates.cancelled': waiting,
  'cancelNearDuplicates.import_not_found': asAdmin,
  'cancelNearDuplicates.import_state': async (gateway) => {
    const call = await waiting(gateway);
    await cancelNearDuplicates(gateway.deps.db, call.real![IMPORT_ID]!, ADMIN_EMAIL);
    return call;
  },
  'dismissNearDuplicate.dismissed': searched,
  'dismissNearDuplicate.question_not_found': async (gateway) => ({
    ...(await imported(gateway)),
    path: { question: String(NEW_ID) },
  }),
};
