import { importRows } from '@proveklar/services/imports/import-rows.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';
import { EDIT, IMPORT_ID } from '@proveklar/gateway/openapi/examples/questions.ts';
import { CHANGE_ID } from '@proveklar/gateway/openapi/examples/question-changes.ts';
import { ADMIN_EMAIL, QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import { addQuestions, createQuestions } from '../factories.ts';
import type { TestGateway } from '../gateway.ts';
import { signIn, signInAdmin, type Call, type SetUps } from './set-up.ts';

const [FIRST, SECOND] = QUESTIONS;

/** The administrator, who has imported the two questions and validated them. */
async function bank(gateway: TestGateway): Promise<Call> {
  const { db } = gateway.deps;
  const { email, token } = await signInAdmin(gateway);
  const rows = QUESTIONS.map(({ id: _id, options: _options, ...row }) => row);
  const import_id = await addQuestions(db, rows, email);
  return { token, real: { [ADMIN_EMAIL]: email, [IMPORT_ID]: import_id } };
}

/** The same, and a learner has a quiz of both. */
async function usedBank(gateway: TestGateway): Promise<Call> {
  const call = await bank(gateway);
  const { token } = await signIn(gateway);
  await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } });
  return call;
}

async function retired(gateway: TestGateway): Promise<Call> {
  const call = await usedBank(gateway);
  await gateway.call('DELETE', `/questions/${FIRST.uuid}`, { token: call.token! });
  return call;
}

const empty = async (gateway: TestGateway): Promise<Call> => ({
  token: (await signInAdmin(gateway)).token,
});

async function changed(gateway: TestGateway): Promise<Call> {
  const call = await bank(gateway);
  const body = {
    action: 'retopic',
    topic: 'Grunnloven',
    selection: { filter: { topic: 'Historie' } },
  };
  const { body: change } = await gateway.call('POST', '/admin/question-changes', {
    token: call.token!,
    body,
  });
  return { token: call.token!, real: { ...call.real, [CHANGE_ID]: change.id as string } };
}

async function undone(gateway: TestGateway): Promise<Call> {
  const call = await changed(gateway);
  const path = `/admin/question-changes/${call.real![CHANGE_ID]!}/undo`;
  await gateway.call('POST', path, { token: call.token! });
  return call;
}

async function manyQuestions(gateway: TestGateway): Promise<Call> {
  const { email, token } = await signInAdmin(gateway);
  await createQuestions(gateway.deps.db, { count: 1001 });
  return { token, real: { [ADMIN_EMAIL]: email } };
}

/** A change that waits for a worker; the test runs none. */
async function running(gateway: TestGateway): Promise<Call> {
  const call = await manyQuestions(gateway);
  const { body } = await gateway.call('POST', '/admin/question-changes', {
    token: call.token!,
    body: { action: 'retire', selection: { filter: {} } },
  });
  return { token: call.token!, real: { ...call.real, [CHANGE_ID]: body.id as string } };
}

async function manyChanged(gateway: TestGateway): Promise<Call> {
  const call = await running(gateway);
  while (await runChange(gateway.deps.db, call.real![CHANGE_ID]!)) continue;
  return call;
}

export const questionBankSetUps: SetUps = {
  'listQuestions.of_the_bank': bank,
  'readQuestionFilters.small_bank': bank,
  'readQuestion.by_uuid': bank,
  'readQuestion.question_not_found': empty,
  'listQuestionVersions.never_edited': bank,
  'listQuestionVersions.question_not_found': empty,
  'editQuestion.edited': bank,
  'editQuestion.question_not_found': empty,
  'editQuestion.question_changed': async (gateway) => {
    const call = await bank(gateway);
    const path = `/questions/${FIRST.uuid}/topic`;
    await gateway.call('PUT', path, { token: call.token!, body: { topic: 'Grunnloven' } });
    await gateway.call('PUT', path, { token: call.token!, body: { topic: 'Historie' } });
    return call;
  },
  'editQuestion.question_duplicate': async (gateway) => ({
    ...(await bank(gateway)),
    body: { ...EDIT, question: SECOND.question.toUpperCase() },
  }),
  'changeQuestionTopic.moved': bank,
  'changeQuestionTopic.question_not_found': empty,
  'validateQuestion.validated': bank,
  'validateQuestion.taken_back': bank,
  'validateQuestion.question_not_found': empty,
  'deleteQuestion.deleted': bank,
  'deleteQuestion.retired': usedBank,
  'deleteQuestion.question_not_found': empty,
  'restoreQuestion.restored': retired,
  'restoreQuestion.question_not_found': empty,
  'restoreQuestion.question_duplicate': async (gateway) => {
    const call = await retired(gateway);
    const rows = [{ ...FIRST, id: undefined, options: undefined, uuid: SECOND.uuid }];
    await gateway.deps.db.query('delete from feedback');
    await gateway.deps.db.query('delete from quiz_question');
    await gateway.call('DELETE', `/questions/${SECOND.uuid}`, { token: call.token! });
    await importRows(gateway.deps.db, rows, 'test');
    return call;
  },

  'changeQuestions.at_once': bank,
  'changeQuestions.in_background': manyQuestions,
  'listQuestionChanges.one': changed,
  'readQuestionChange.completed': changed,
  'readQuestionChange.change_not_found': empty,
  'cancelQuestionChange.cancelled': running,
  'cancelQuestionChange.change_not_found': empty,
  'cancelQuestionChange.change_ended': changed,
  'undoQuestionChange.undone': changed,
  'undoQuestionChange.in_background': manyChanged,
  'undoQuestionChange.change_not_found': empty,
  'undoQuestionChange.change_not_ended': running,
  'undoQuestionChange.change_ended': undone,
};
