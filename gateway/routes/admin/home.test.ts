import { beforeAll, expect, test } from 'vitest';
import type { MemberRole } from '@proveklar/contract/roles.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import {
  readLearnersHome,
  readOperationsHome,
  readQuestionsHome,
} from '@proveklar/services/portal/home.ts';
import { storeStatus } from '@proveklar/services/database/service-status.ts';
import { EXAMPLE_STATUS } from '#openapi/examples/operations.ts';
import { addDays, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';

const gateway = useTestGateway();
const topic = 'Historie';

beforeAll(async () => {
  const { db } = gateway.deps;
  await createQuestions(db, { topic, count: 12 });
  const learner = await gateway.identity.createPasswordUser();
  await addDays(db, learner, 30);
  const token = learner.idToken;
  const { body: quiz } = await gateway.call('POST', '/quiz/start', { token, body: { topic } });
  for (const { uuid } of quiz.questions.slice(0, 2)) {
    const body = { type: 'thumbs_down' };
    await gateway.call('POST', `/questions/${uuid}/feedback`, { token, body });
  }
  await db.query(`update question set validated = false where id in
    (select id from question order by id limit 3)`);
  await db.query(`update question set checked_at = '2020-01-01' where id =
    (select max(id) from question)`);
});

test('each role reads its own part of the first page', async () => {
  const { db, adminEmails: owners } = gateway.deps;
  const partsOf = async (role: MemberRole | 'owner') => {
    const email = role === 'owner' ? owners[0]! : uniqueEmail();
    const { idToken: token } = await gateway.identity.signInWithGoogle({ email });
    if (role !== 'owner') await inviteMember(db, { email, role, actor: 'test', owners });
    const { body } = await gateway.call('GET', '/admin/home', { token });
    return Object.keys(body).filter((part) => body[part] !== null);
  };
  expect(await partsOf('editor')).toEqual(['questions']);
  expect(await partsOf('support')).toEqual(['learners']);
  expect(await partsOf('operator')).toEqual(['operations']);
  expect(await partsOf('owner')).toEqual(['questions', 'learners', 'operations']);
});

test('the first page counts what waits for editors, and has the last import', async () => {
  expect(await readQuestionsHome(gateway.deps.db)).toMatchObject({
    pending: 3,
    reported: 2,
    stale: 1,
    last_import: { state: 'completed', imported: 12, rejected: 0, dry_run: false },
  });
});

test("the first page counts today's learners and payments from midnight in Oslo", async () => {
  const { db } = gateway.deps;
  const now = await readLearnersHome(db);
  expect(now).toMatchObject({ quizzes_today: 1, practised_today: 1, payments_today: 0 });
  expect(now.registered_today).toBeGreaterThan(0);
  await db.query(`update quiz set started_at =
    date_trunc('day', now() at time zone 'Europe/Oslo') at time zone 'Europe/Oslo' - interval '1 s'`);
  expect(await readLearnersHome(db)).toMatchObject({ quizzes_today: 0, practised_today: 0 });
});

test('the first page takes a status of more than a minute ago for none', async () => {
  const { db } = gateway.deps;
  const level = async () => (await readOperationsHome(db)).level;
  expect(await level()).toBeNull();
  const at = (ms: number) => new Date(Date.now() - ms).toISOString();
  await storeStatus(db, { ...EXAMPLE_STATUS, level: 'warning', at: at(90_000) });
  expect(await level()).toBeNull();
  await storeStatus(db, { ...EXAMPLE_STATUS, level: 'warning', at: at(10_000) });
  expect(await level()).toBe('warning');
});
