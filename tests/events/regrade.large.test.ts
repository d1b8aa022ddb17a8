import { beforeAll, describe, expect, test } from 'vitest';
import { allConsumed } from '#support/consumed.ts';
import { createLearner, createQuestions } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { signInAdmin } from '#support/examples/set-up.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { recount } from '#support/recount.ts';
import { useTestWorkers } from '#support/workers.ts';

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  const gateway = useTestGateway();
  const workers = useTestWorkers();
  const mailbox = useTestMailbox();
  let admin: string;

  beforeAll(async () => {
    await createQuestions(gateway.deps.db, { topic: 'Historie', count: 6 });
    ({ token: admin } = await signInAdmin(gateway));
  });

  /** Inserts `count` ended drills of six questions; in each, the first was answered with its option a. */
  async function takeQuizzes(accountId: string, count: number): Promise<void> {
    await gateway.deps.db.query(
      `with made as (
       insert into quiz (account_id, kind, topic, language, instant_feedback, state, ended_at,
                         score, total)
       select $1, 'drill', 'Historie', 'no', true, 'ended', now(), 5, 6 from generate_series(1, $2)
       returning id
     ), asked as (
       insert into quiz_question (quiz_id, question_id, position)
       select made.id, question.id, row_number() over (partition by made.id order by question.id)
       from made cross join question returning quiz_id, question_id, position
     ), answered as (
       insert into quiz_answer (quiz_id, question_id, answer, correct)
       select quiz_id, question_id,
              case position when 1 then question.incorrect[1] else question.answer end, position > 1
       from asked join question on question.id = question_id returning quiz_id, question_id, correct
     ), told as (
       insert into outbox (name, payload) select 'answer.submitted', to_jsonb(answered) from answered)
     insert into outbox (name, payload)
     select 'quiz.ended', jsonb_build_object('quiz_id', id) from made`,
      [accountId, count],
    );
  }

  const correctFirst = async (option: string) => {
    const { rows } = await gateway.deps.db.query(
      `select id, version, option from question, unnest(incorrect) as option
     where option like $1 || '%' order by id limit 1`,
      [option],
    );
    const { id, version, option: answer } = rows[0];
    const body = { version, answer };
    const answered = await gateway.call('POST', `/questions/${id}/correct-key`, {
      token: admin,
      body,
    });
    expect(answered.status).toBe(200);
    return answered.body;
  };

  describe('a corrected key', () => {
    test('reaches every result and sends one mail per learner, although a worker is killed', async () => {
      const { db } = gateway.deps;
      const { start } = await workers.on(gateway, redisUrl, { SMTP_URL: mailbox.smtpUrl });
      const [one, other] = [await createLearner(db), await createLearner(db)];
      await takeQuizzes(one.id, 900);
      await takeQuizzes(other.id, 300);
      const { quizzes, id } = await correctFirst('wrong a');
      expect(quizzes).toBe(1200);

      const done = async () => {
        const { rows } = await db.query('select max(quizzes) as done from regrade');
        return rows[0].done as number;
      };
      const doomed = start();
      await expect.poll(done, { interval: 5 }).toBeGreaterThan(0);
      doomed.kill();
      await doomed.ended;
      expect(await done()).toBeLessThan(1200);
      start();
      await allConsumed(db);

      const { body } = await gateway.call('GET', `/questions/${id}/statistics`, { token: admin });
      expect(body.regrade).toMatchObject({ quizzes: 1200, changed: 1200 });
      expect(body).toMatchObject({ answers: 1200, facility: 1 });
      const { rows } = await db.query(
        'select distinct score, regraded_at is not null as at from quiz',
      );
      expect(rows).toEqual([{ score: 6, at: true }]);
      const { kept, counted } = await recount(db);
      expect(counted).toHaveLength(6);
      expect(kept).toEqual(counted);
      for (const { email } of [one, other]) {
        expect(await mailbox.mailsTo(email)).toMatchObject([
          { subject: 'Resultatet ditt er rettet' },
        ]);
      }
    });
  });
});
