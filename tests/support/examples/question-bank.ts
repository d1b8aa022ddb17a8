import { importRows } from '@proveklar/services/imports/import-rows.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';
import { EDIT, TRANSLATE } from '@proveklar/gateway/openapi/examples/question-writing.ts';
import { IMPORT_ID } from '@proveklar/gateway/openapi/examples/questions.ts';
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

/** The id of the first question. */
async function firstId(gateway: TestGateway, call: Call): Promise<number> {
  const read = await gateway.call('GET', `/questions/${FIRST.uuid}`, { token: call.token! });
  return read.body.id as number;
}

async function toTranslate(gateway: TestGateway): Promise<Call> {
  const call = await bank(gateway);
  return { ...call, body: { ...TRANSLATE, translation_of: await firstId(gateway, call) } };
}

async function translated(gateway: TestGateway): Promise<Call> {
  const call = await toTranslate(gateway);
  const { body } = await gateway.call('POST', '/questions', {
    token: call.token!,
    body: call.body,
  });
  return { ...call, path: { sibling: String(body.id) }, body: undefined };
}

/** The first question was moved to another topic, so it has two versions. */
async function movedOnce(gateway: TestGateway): Promise<Call> {
  const call = await bank(gateway);
  const path = `/questions/${FIRST.uuid}/topic`;
  await gateway.call('PUT', path, { token: call.token!, body: { topic: 'Grunnloven' } });
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
  'readPortalHome.owner': bank,
  'listQuestions.of_the_bank': bank,
  'readQuestionFilters.small_bank': bank,
  'countBankTopics.small_bank': bank,
  'readQuestion.by_uuid': bank,
  'readQuestion.question_not_found': empty,
  'createQuestion.translation': toTranslate,
  'createQuestion.question_not_found': async (gateway) => ({
    ...(await empty(gateway)),
    body: { ...TRANSLATE, translation_of: 999_999_999 },
  }),
  'createQuestion.question_duplicate': async (gateway) => {
    const call = await toTranslate(gateway);
    await gateway.call('POST', '/questions', { token: call.token!, body: call.body });
    const question = 'When was the Norwegian Constitution signed?';
    return { ...call, body: { ...(call.body as object), question } };
  },
  'restoreQuestionVersion.first': movedOnce,
  'restoreQuestionVersion.question_not_found': empty,
  'restoreQuestionVersion.version_not_found': async (gateway) => ({
    ...(await movedOnce(gateway)),
    path: { version: '7' },
  }),
  'restoreQuestionVersion.question_changed': async (gateway) => {
    const call = await movedOnce(gateway);
    const path = `/questions/${FIRST.uuid}/topic`;
    await gateway.call('PUT', path, { token: call.token!, body: { topic: 'Historie' } });
    return call;
  },
  'restoreQuestionVersion.question_duplicate': async (gateway) => {
    const call = await bank(gateway);
    const path = `/questions/${FIRST.uuid}`;
    const { body: before } = await gateway.call('GET', path, { token: call.token! });
    const { question, answer, incorrect, topic, explanation } = before;
    const rest = { source_url: null, checked_at: null, tags: [] };
    const edited = { version: 1, answer, incorrect, topic, explanation, ...rest };
    await gateway.call('PUT', path, {
      token: call.token!,
      body: { ...edited, question: 'En helt annen tekst?' },
    });
    const [other] = QUESTIONS.slice(1);
    await gateway.call('PUT', `/questions/${other!.uuid}`, {
      token: call.token!,
      body: { ...edited, question },
    });
    return call;
  },
  'listSiblings.english': async (gateway) => {
    const call = await translated(gateway);
    return { ...call, path: {} };
  },
  'listSiblings.question_not_found': empty,
  'markAligned.aligned': translated,
  'markAligned.question_not_found': empty,
  'notePresence.alone': async (gateway) => {
    const call = await bank(gateway);
    await gateway.call('GET', '/account', { token: call.token! });
    return call;
  },
  'notePresence.question_not_found': empty,
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
  'changeQuestions.tags': bank,
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
