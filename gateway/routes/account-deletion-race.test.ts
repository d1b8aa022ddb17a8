import { describe, expect, onTestFinished, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { completeRegrade, correctKey, regradeQuestion } from '@proveklar/services/quiz/regrade.ts';
import { withClaims } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';

const { gateway, query, learner } = withOwnAccounts();

type Learner = Awaited<ReturnType<typeof learner>>;
interface Quiz {
  id: string;
  questions: { uuid: string; options: string[] }[];
}

const startQuiz = async ({ call }: Learner) =>
  (await call('POST', '/quiz/start', { topic: 'Historie' })).body as Quiz;

/** A learner's concurrent calls on several devices, each with its possible statuses. */
function busy({ call }: Learner, { id, questions }: Quiz): Promise<{ status: number }>[] {
  const each = questions.flatMap(({ uuid, options }) => [
    call('POST', `/questions/${uuid}/feedback`, { type: 'thumbs_down', comment: 'Feil.' }),
    call('POST', `/quiz/${id}/answer`, { question_id: uuid, answer: options[0] }),
  ]);
  return [
    ...each,
    call('POST', '/quiz/start', { topic: 'Historie' }),
    call('POST', '/payment/create-intent', {}),
    call('GET', '/account/export'),
    call('PUT', '/account/profile', { language: 'en' }),
    call('POST', `/quiz/${id}/end`),
  ];
}

/** Completed before the account was closed; refused; its quiz was gone; or ended by another call. */
const ALLOWED = [200, 401, 404, 409, 429];

/** Rows of an account that a deletion must not leave. */
async function left(id: string) {
  const [row] = await query(
    `select (select state from account where id = $1) as state,
       (select count(*)::int from quiz where account_id = $1) as quizzes,
       (select count(*)::int from feedback where account_id = $1) as reports,
       (select count(*)::int from limited_call where account_id = $1) as calls,
       (select count(*)::int from learner_question where account_id = $1) as remembered,
       (select count(*)::int from account_deletion
        where account_id = $1 and completed_at is null) as under_way,
       (select count(*)::int from payment
        where account_id = $1 and (state = 'open' or email is not null)) as payments`,
    id,
  );
  return row;
}
const NOTHING = {
  state: 'deleted',
  quizzes: 0,
  reports: 0,
  calls: 0,
  remembered: 0,
  under_way: 0,
  payments: 0,
};

/** Intents that could still be paid. */
async function payable(id: string): Promise<string[]> {
  const rows = await query(
    'select payment_intent_id as intent from payment where account_id = $1',
    id,
  );
  const intents = rows
    .map(({ intent }) => intent as string | null)
    .filter((intent) => intent !== null);
  const read = intents.map((intent) => gateway.deps.stripe.paymentIntents.retrieve(intent));
  return (await Promise.all(read)).map(({ status }) => status).filter((s) => s !== 'canceled');
}

async function boss() {
  const email = gateway.deps.config.ADMIN_EMAIL;
  return (await gateway.identity.signInWithGoogle({ email })).idToken;
}

const LEARNERS = 6;
const AT_ONCE = 3;

describe('concurrent deletions during all calls of a learner', () => {
  test.each(['their own', "an administrator's"])(
    'three concurrent deletions leave nothing while the learner makes all calls: %s',
    async (whose) => {
      const token = await boss();
      for (let round = 0; round < LEARNERS; round += 1) {
        const user = await learner();
        const quiz = await startQuiz(user);
        const calls = busy(user, quiz);
        // Some calls are in flight, some come later.
        if (round > 0) await Promise.race(calls.slice(0, round * 4));
        const deletions = Array.from({ length: AT_ONCE }, () =>
          whose === 'their own'
            ? user.call('DELETE', '/account')
            : gateway.call('DELETE', `/admin/users/${user.uid}`, { token }),
        );
        const more = busy(user, quiz);
        const answers = await Promise.all(deletions);
        expect(answers).toEqual(answers.map(() => ({ status: 200, body: { ok: true } })));
        for (const { status } of await Promise.all([...calls, ...more])) {
          expect(ALLOWED).toContain(status);
        }
        expect(await left(user.id)).toEqual(NOTHING);
        expect(await payable(user.id)).toEqual([]);
        expect(await gateway.identity.findUser(user.email)).toBeUndefined();
      }
    },
  );

  test('three concurrent deletions are confirmed by one mail', async () => {
    const user = await learner();
    const token = withClaims(user.token, { email_verified: true });
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => gateway.call('DELETE', '/account', { token })),
    );
    const mails = await query(
      `select payload from outbox where name = 'account.deleted' and payload ->> 'account_id' = $1`,
      user.id,
    );
    expect(mails).toHaveLength(1);
  });
});

/** Blocks statements like `after insert on quiz` in their transactions until `go` is called. */
async function delay(statements: `${'after insert' | 'before delete'} on ${string}`) {
  await query(
    `create function wait_for_test() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`,
  );
  // A statement trigger: it fires after the foreign key checks, which run per row.
  await query(`create trigger wait_for_test ${statements} execute function wait_for_test()`);
  const holder = await gateway.deps.db.connect();
  await holder.query('select pg_advisory_lock(4711)');
  const go = async () => {
    await holder.query('select pg_advisory_unlock_all()');
  };
  onTestFinished(async () => {
    await go();
    holder.release();
    await query('drop function wait_for_test cascade');
  });
  return { go };
}

/** The number of statements that wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

describe('a deletion waits for concurrent writes and erases them:', () => {
  test.each<[string, string, (user: Learner, quiz: Quiz) => Promise<{ status: number }>]>([
    [
      'a report',
      'feedback',
      ({ call }, { questions: [first] }) =>
        call('POST', `/questions/${first!.uuid}/feedback`, { type: 'thumbs_down' }),
    ],
    [
      'an answer',
      'quiz_answer',
      ({ call }, { id, questions: [first] }) =>
        call('POST', `/quiz/${id}/answer`, {
          question_id: first!.uuid,
          answer: first!.options[0],
        }),
    ],
    ['a quiz', 'quiz', ({ call }) => call('POST', '/quiz/start', { topic: 'Historie' })],
    ['a payment', 'payment', ({ call }) => call('POST', '/payment/create-intent', {})],
    ['an export', 'limited_call', ({ call }) => call('GET', '/account/export')],
  ])('a deletion waits for a concurrent write and erases it: %s', async (_what, table, write) => {
    const user = await learner();
    const quiz = await startQuiz(user);
    const { go } = await delay(`after insert on ${table}`);
    const writing = write(user, quiz);
    await expect.poll(waiting).toBe(1);
    const deletions = Array.from({ length: AT_ONCE }, () => user.call('DELETE', '/account'));
    await expect.poll(waiting).toBeGreaterThan(1);
    await go();
    expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([200, 401, 404]).toContain((await writing).status);
    expect(await left(user.id)).toEqual(NOTHING);
    expect(await payable(user.id)).toEqual([]);
  });
});

test('a report that arrives during the deletion neither blocks it nor survives it', async () => {
  const user = await learner();
  const { id } = await startQuiz(user);
  const { go } = await delay('before delete on quiz');
  const deletion = user.call('DELETE', '/account');
  await expect.poll(waiting).toBe(1);
  // Written as the previous version does, which does not check the account again.
  const report = query(
    `insert into feedback (account_id, question_id, quiz_id, type)
     select $1, question_id, quiz_id, 'thumbs_down' from quiz_question where quiz_id = $2 limit 1`,
    user.id,
    id,
  ).catch((error: { constraint?: string }) => error.constraint);
  await expect.poll(waiting).toBe(2);
  await go();
  expect((await deletion).status).toBe(200);
  expect(await report).toBe('feedback_quiz_id_fkey');
  expect(await left(user.id)).toEqual(NOTHING);
});

test('deletions during a regrade leave nothing, and the regrade ends', async () => {
  const users = await Promise.all(Array.from({ length: LEARNERS }, learner));
  const { db } = gateway.deps;
  for (const user of users) {
    const { id, questions } = await startQuiz(user);
    for (const { uuid, options } of questions) {
      await user.call('POST', `/quiz/${id}/answer`, { question_id: uuid, answer: options[0] });
    }
    await user.call('POST', `/quiz/${id}/end`);
  }
  const questions = await query(
    `select question.id, version, incorrect[1] as answer from question
     where exists (select from quiz_question where question_id = question.id) order by id`,
  );
  const regrades = await Promise.all(
    questions.map(({ id, version, answer }) =>
      correctKey(db, { question: id, version, answer, actor: 'test' }),
    ),
  );
  const deleted = users.map(({ call }) => call('DELETE', '/account'));
  for (const { regrade_id } of regrades) {
    await regradeQuestion(db, regrade_id);
    await withTransaction(db, (tx) => completeRegrade(tx, regrade_id));
  }
  expect((await Promise.all(deleted)).map(({ status }) => status)).toEqual(users.map(() => 200));
  for (const { id } of users) expect(await left(id)).toEqual(NOTHING);
});
