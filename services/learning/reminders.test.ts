import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { answerQuizOf, startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { changePlan } from './plan.ts';
import { findReminders, forgetOldConsents, recordReminder } from './reminders.ts';

const database = useTestDatabase();

beforeEach(async () => {
  await emptyTables(database.pool, 'account', 'question', 'outbox');
  await setPrice(database.pool, 149_00);
});

/** Today in Europe/Oslo at this time. */
async function todayAt(time: string): Promise<Date> {
  const { rows } = await database.pool.query<{ at: Date }>(
    `select ((now() at time zone 'Europe/Oslo')::date + $1::time) at time zone 'Europe/Oslo' as at`,
    [time],
  );
  return rows[0]!.at;
}

async function find({ limit = 100, time = '17:05' } = {}): Promise<number> {
  const at = await todayAt(time);
  return withTransaction(database.pool, (tx) => findReminders(tx, { limit, at }));
}

/** The accounts that are reminded. */
async function reminded(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select payload ->> 'account_id' as id from outbox where name = 'reminder.due' order by id`,
  );
  return rows.map(({ id }) => id);
}

async function learnerWithReminders(days = 30) {
  const learner = await createLearner(database.pool, { days });
  await changePlan(database.pool, learner.id, {
    reminders: true,
    reminders_consent: 'reminders-no-2026-11',
    daily_goal: 5,
  });
  return learner;
}

async function practise({ id, uid }: { id: string; uid: string }, answers: number) {
  await createQuestions(database.pool, { topic: `Tema ${id}`, count: answers });
  const quiz = await startQuizOf(database.pool, id, {
    topic: `Tema ${id}`,
    questionCount: answers,
  });
  for (const index of quiz.questions.keys()) {
    await answerQuizOf(database.pool, uid, { quiz, index, which: 'right' });
  }
}

const setPlan = (accountId: string, change: string) =>
  database.pool.query(`update learner_plan set ${change} where account_id = $1`, [accountId]);

describe('the learners who are reminded today', () => {
  test('are found once, between 17 and 21 in Norway', async () => {
    const { id } = await learnerWithReminders();
    expect(await find({ time: '16:59' })).toBe(0);
    expect(await find({ time: '21:01' })).toBe(0);
    expect(await find()).toBe(1);
    expect(await find()).toBe(0);
    expect(await reminded()).toEqual([id]);
    const { rows } = await database.pool.query(
      `select payload from outbox where name = 'reminder.due'`,
    );
    expect(new Date(rows[0].payload.send_before)).toEqual(await todayAt('21:00'));
  });

  test('are found once by concurrent schedulers, up to the limit of each', async () => {
    const ids = [];
    for (let n = 0; n < 10; n += 1) ids.push((await learnerWithReminders()).id);
    const counts = await Promise.all(Array.from({ length: 5 }, () => find({ limit: 3 })));
    for (const count of counts) expect(count).toBeLessThanOrEqual(3);
    while ((await find({ limit: 3 })) > 0);
    expect((await reminded()).toSorted()).toEqual(ids.toSorted());
  });

  test('have asked for it, have access, and have not reached their goal', async () => {
    const reached = await learnerWithReminders();
    await practise(reached, 5);
    const halfway = await learnerWithReminders();
    await practise(halfway, 4);
    await learnerWithReminders(0);
    const stopped = await learnerWithReminders();
    await changePlan(database.pool, stopped.id, { reminders: false });
    const withoutText = await learnerWithReminders();
    await setPlan(withoutText.id, 'reminders_consent = null');
    const disabled = await learnerWithReminders();
    await database.pool.query(`update account set state = 'disabled' where id = $1`, [disabled.id]);
    await find();
    expect(await reminded()).toEqual([halfway.id]);
  });

  test('include those without days while the service is free', async () => {
    const { id } = await learnerWithReminders(0);
    await setPrice(database.pool, 0);
    await find();
    expect(await reminded()).toEqual([id]);
  });

  test('are reminded until the day before their exam', async () => {
    const today = `(now() at time zone 'Europe/Oslo')::date`;
    const before = await learnerWithReminders();
    await setPlan(before.id, `exam_date = ${today} + 1`);
    const onTheDay = await learnerWithReminders();
    await setPlan(onTheDay.id, `exam_date = ${today}`);
    const after = await learnerWithReminders();
    await setPlan(after.id, `exam_date = ${today} - 1`);
    await find();
    expect(await reminded()).toEqual([before.id]);
  });

  test('start a new row of reminders when they have practised since the last one', async () => {
    const [practised, not] = [await learnerWithReminders(), await learnerWithReminders()];
    for (const { id } of [practised, not]) {
      await setPlan(
        id,
        `reminders_unanswered = 3, last_reminded_on = (now() at time zone 'Europe/Oslo')::date - 1`,
      );
    }
    await practise(practised, 1);
    await find();
    const { rows } = await database.pool.query(
      'select account_id as id, reminders_unanswered as unanswered from learner_plan',
    );
    expect(new Map(rows.map(({ id, unanswered }) => [id, unanswered]))).toEqual(
      new Map([
        [practised.id, 0],
        [not.id, 3],
      ]),
    );
    expect(await reminded()).toHaveLength(2);
  });
});

describe('a reminder that was sent', () => {
  test('counts once for each day, and the seventh in a row is the last', async () => {
    const { id } = await learnerWithReminders();
    const state = async () => {
      const { rows } = await database.pool.query(
        `select reminders, reminders_unanswered as unanswered, reminders_stopped as stopped
         from learner_plan`,
      );
      return rows[0];
    };
    for (const day of ['2026-11-01', '2026-11-01', '2026-11-02', '2026-11-03']) {
      await recordReminder(database.pool, id, day);
    }
    expect(await state()).toEqual({ reminders: true, unanswered: 3, stopped: null });
    for (const day of [4, 5, 6]) await recordReminder(database.pool, id, `2026-11-0${day}`);
    expect(await state()).toEqual({ reminders: true, unanswered: 6, stopped: null });
    await recordReminder(database.pool, id, '2026-11-07');
    expect(await state()).toEqual({ reminders: false, unanswered: 7, stopped: 'unanswered' });
    await changePlan(database.pool, id, {
      reminders: true,
      reminders_consent: 'reminders-no-2026-11',
    });
    expect(await state()).toEqual({ reminders: true, unanswered: 0, stopped: null });
  });
});

test('a consent is forgotten two years after reminders were turned off, and not while they are on', async () => {
  const [off, recent, on] = [
    await learnerWithReminders(),
    await learnerWithReminders(),
    await learnerWithReminders(),
  ];
  await setPlan(
    off.id,
    `reminders = false, reminders_changed_at = now() - interval '2 years 1 day'`,
  );
  await setPlan(recent.id, `reminders = false, reminders_changed_at = now() - interval '729 days'`);
  await setPlan(on.id, `reminders_changed_at = now() - interval '3 years'`);
  await withTransaction(database.pool, forgetOldConsents);
  const { rows } = await database.pool.query<{ id: string }>(
    `select account_id as id from learner_plan
     where reminders_consent is not null and reminders_agreed_at is not null order by id`,
  );
  expect(rows.map(({ id }) => id)).toEqual([recent.id, on.id].toSorted());
});
