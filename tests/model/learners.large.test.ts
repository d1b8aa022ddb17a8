// Over 400 lines: every call of a learner, against one model.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { rebuildAccount } from '@proveklar/services/learning/record-answers.ts';
import { allConsumed } from '#support/consumed.ts';
import { createQuestions, setPrice } from '#support/factories.ts';
import { type Answer, useTestGateway } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { buyAccess } from '#support/pay.ts';
import { printTable } from '#support/figures.ts';
import { recount } from '#support/recount.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { useTestWorkers } from '#support/workers.ts';
import {
  expectSeen,
  isRight,
  ModelLearner,
  type ModelQuiz,
  rightIn,
  type SeenQuiz,
} from './learner.ts';

// Learners act at random, three at once: they pay, lose access, start, answer, mark, hand in and leave quizzes, also
// where they may not. After each call the answer of the API is compared with a model. A failing history is made as
// short as possible, and printed.
const HISTORIES = bySize({ quick: 2, large: 8, full: 60 });
const MAX_CALLS = 300;
const TIMEOUT_MS = 60 * 60_000;
/** A failing history is made shorter for so long. */
const MAX_SHRINK_MS = 2 * 60_000;
const LEARNERS = 3;
const OPEN_DRILLS = 3;
/** Questions in each topic. Few in one, so that learners meet the same ones again; enough together for a test. */
const TOPICS: Record<string, number> = { Historie: 20, Geografi: 18, Utdanning: 5 };
const DAYS = 30;
/** A page of open quizzes. */
const MAX_LISTED_OPEN = 10;

const gateway = useTestGateway();
const mailbox = useTestMailbox();
const workers = useTestWorkers();
const seed = testSeed('these histories');

beforeAll(async () => {
  const { db, limits } = gateway.deps;
  await setPrice(db, 149_00, DAYS);
  for (const [topic, count] of Object.entries(TOPICS)) await createQuestions(db, { topic, count });
  limits.openDrills = OPEN_DRILLS;
});

/** A learner of the API. */
interface Caller {
  token: string;
  accountId: string;
  /** A quiz of another learner; undefined while there is none. */
  foreignQuiz: () => ModelQuiz | undefined;
  calls: Map<string, number>;
}

type Command = fc.AsyncCommand<ModelLearner, Caller>;
type Arbitraries<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/**
 * A kind of call with drawn arguments.
 *
 * @param run makes the call, compares its answer with the model, and changes the model
 */
function command<T extends object>(
  name: string,
  drawn: Arbitraries<T>,
  run: (args: T, model: ModelLearner, caller: Caller) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc.record(drawn).map((args) => ({
    check: () => true,
    async run(model: ModelLearner, caller: Caller) {
      caller.calls.set(name, (caller.calls.get(name) ?? 0) + 1);
      await run(args as T, model, caller);
    },
    toString: () => `${name} ${JSON.stringify(args)}`,
  }));
}

// Without the bias to small numbers: all quizzes and questions are to be met.
const place = fc.noBias(fc.nat({ max: 999 }));
const at = <T>(values: readonly T[], drawn: number): T | undefined => values[drawn % values.length];
/** A place among the newest quizzes: of the oldest there is nothing new to learn. */
const recent = ({ quizzes }: ModelLearner, drawn: number) =>
  at(quizzes.slice(-6).toReversed(), drawn);
/** Mostly an open quiz, where there is one. */
const target = (model: ModelLearner, drawn: number) =>
  (drawn < 800 ? at(model.open(), drawn) : undefined) ?? recent(model, drawn);
const post = (caller: Caller, path: string, body?: object) =>
  gateway.call('POST', path, { token: caller.token, ...(body && { body }) });
const get = (caller: Caller, path: string) => gateway.call('GET', path, { token: caller.token });
const refused = (answer: Answer, status: number, code: string) =>
  expect(answer).toMatchObject({ status, body: { code } });

const STATUS: Record<string, number> = {
  service_expired: 402,
  too_many_open: 409,
  no_mistakes: 400,
};

const start = command<{ topic: string; count: number; instant: boolean }>(
  'start',
  {
    // Mostly the small topic, whose questions are met again.
    topic: fc.oneof(
      { weight: 4, arbitrary: fc.constant('Utdanning') },
      { weight: 3, arbitrary: fc.constantFrom(...Object.keys(TOPICS)) },
      { weight: 5, arbitrary: fc.constantFrom('all', 'mistakes', 'today', 'Praktisk prøve') },
    ),
    count: fc.integer({ min: 5, max: 15 }),
    instant: fc.boolean(),
  },
  async ({ topic, count, instant }, model, caller) => {
    const expected = model.expectedStart({ topic, count });
    const mistakes = new Set(model.mistakes());
    const answer = await post(caller, '/quiz/start', {
      topic,
      question_count: count,
      instant_feedback: instant,
    });
    if (typeof expected === 'string') {
      refused(answer, STATUS[expected]!, expected);
      return;
    }
    expect(answer).toMatchObject({ status: 200 });
    const seen = answer.body as SeenQuiz;
    const [least, most] = expected;
    expect(seen.questions.length).toBeGreaterThanOrEqual(least);
    expect(seen.questions.length).toBeLessThanOrEqual(most);
    const uuids = seen.questions.map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    if (topic === 'mistakes') expect(uuids.filter((uuid) => !mistakes.has(uuid))).toEqual([]);
    if (topic in TOPICS) {
      expect(seen.questions.every((question) => question.topic === topic)).toBe(true);
    }
    for (const { options } of seen.questions) expect(options.filter(isRight)).toHaveLength(1);
    const isTest = topic === 'Praktisk prøve';
    const quiz = {
      id: seen.id,
      isTest,
      instant: instant && !isTest,
      questions: seen.questions,
      total: seen.total,
      passMark: seen.exam?.pass_mark ?? null,
    };
    model.start(quiz);
    expectSeen(model.quizzes.at(-1)!, seen);
  },
);

const answer = command<{ quiz: number; question: number; right: boolean; wrong: number }>(
  'answer',
  { quiz: place, question: place, right: fc.boolean(), wrong: place },
  async ({ quiz: drawnQuiz, question: drawnQuestion, right, wrong }, model, caller) => {
    const quiz = target(model, drawnQuiz);
    const question = quiz && at(quiz.questions, drawnQuestion);
    if (!quiz || !question) return;
    const options = question.options.filter((option) => isRight(option) === right);
    const given = at(options, wrong)!;
    const called = await post(caller, `/quiz/${quiz.id}/answer`, {
      question_id: question.uuid,
      answer: given,
      shown_ms: wrong * 20,
    });
    if (quiz.state !== 'open') {
      refused(called, 409, 'quiz_closed');
      return;
    }
    expect(called).toMatchObject({ status: 200 });
    const first = model.answer(quiz, question.uuid, given);
    const stored = quiz.answers.get(question.uuid)!;
    const { score, correct, answer: firstAnswer, correct_answer: key } = called.body;
    expect({ score, correct, firstAnswer, isKeyShown: key !== undefined }).toEqual({
      score: quiz.isTest ? null : rightIn(quiz),
      correct: quiz.instant ? stored.right : null,
      firstAnswer: quiz.isTest ? undefined : first?.answer,
      isKeyShown: quiz.instant,
    });
    if (key !== undefined) expect(isRight(key)).toBe(true);
  },
);

const answerWrongly = command<{ quiz: number; how: 'option' | 'question' | 'quiz' }>(
  'answer what cannot be answered',
  { quiz: place, how: fc.constantFrom('option', 'question', 'quiz') },
  async ({ quiz: drawn, how }, model, caller) => {
    const quiz = how === 'quiz' ? caller.foreignQuiz() : recent(model, drawn);
    const question = quiz?.questions[0];
    if (!quiz || !question) return;
    const called = await post(caller, `/quiz/${quiz.id}/answer`, {
      question_id: how === 'question' ? quiz.id : question.uuid,
      answer: how === 'option' ? 'neither right nor wrong' : question.options[0],
    });
    if (how === 'quiz') refused(called, 404, 'quiz_not_found');
    else if (quiz.state !== 'open') refused(called, 409, 'quiz_closed');
    else if (how === 'question') refused(called, 400, 'question_not_in_quiz');
    else refused(called, 400, 'answer_not_an_option');
  },
);

const mark = command<{ quiz: number; question: number; marked: boolean }>(
  'mark',
  { quiz: place, question: place, marked: fc.boolean() },
  async ({ quiz: drawnQuiz, question: drawnQuestion, marked }, model, caller) => {
    const quiz = target(model, drawnQuiz);
    const question = quiz && at(quiz.questions, drawnQuestion);
    if (!quiz || !question) return;
    const path = `/quiz/${quiz.id}/questions/${question.uuid}/mark`;
    const called = await gateway.call('PUT', path, { token: caller.token, body: { marked } });
    if (!quiz.isTest) refused(called, 400, 'validation_failed');
    else if (quiz.state !== 'open') refused(called, 409, 'quiz_closed');
    else {
      expect(called).toMatchObject({ status: 200 });
      if (marked) quiz.marked.add(question.uuid);
      else quiz.marked.delete(question.uuid);
    }
  },
);

const end = command<{ quiz: number }>('hand in', { quiz: place }, async (args, model, caller) => {
  const quiz = recent(model, args.quiz);
  if (!quiz) return;
  const called = await post(caller, `/quiz/${quiz.id}/end`);
  if (quiz.state === 'cancelled') {
    refused(called, 409, 'quiz_closed');
    return;
  }
  expect(called).toMatchObject({ status: 200 });
  const { score, total, passed } = called.body as Record<string, number | boolean | null>;
  if (quiz.state === 'open') {
    const { body } = await get(caller, `/quiz/${quiz.id}`);
    // Which questions of a practice test count is said now.
    const counted = Object.entries((body as SeenQuiz).answers).filter(([, one]) => one.counted);
    expect(counted).toHaveLength(quiz.total);
    model.end(quiz, counted.filter(([uuid]) => quiz.answers.get(uuid)?.right).length);
  }
  expect({ score, total, passed }).toEqual({
    score: quiz.score,
    total: quiz.total,
    passed: quiz.passMark === null ? null : quiz.score! >= quiz.passMark,
  });
});

const leave = command<{ quiz: number }>('leave', { quiz: place }, async (args, model, caller) => {
  const quiz = recent(model, args.quiz);
  if (!quiz) return;
  const called = await post(caller, `/quiz/${quiz.id}/cancel`);
  if (quiz.state === 'ended') {
    refused(called, 409, 'quiz_closed');
    return;
  }
  expect(called).toMatchObject({ status: 200 });
  quiz.state = 'cancelled';
});

const read = command<{ quiz: number }>(
  'read a quiz',
  { quiz: place },
  async (args, model, caller) => {
    const quiz = recent(model, args.quiz);
    if (!quiz) return;
    const called = await get(caller, `/quiz/${quiz.id}`);
    expect(called).toMatchObject({ status: 200 });
    expectSeen(quiz, called.body as SeenQuiz);
  },
);

const readForeign = command('read the quiz of another', {}, async (_args, _model, caller) => {
  const quiz = caller.foreignQuiz();
  if (quiz) refused(await get(caller, `/quiz/${quiz.id}`), 404, 'quiz_not_found');
});

const readLists = command('read the lists', {}, (_args, model, caller) =>
  expectLists(model, caller),
);

const pay = command('pay', {}, (_args, model, caller) => payFor(model, caller));

const expire = command('let the access run out', {}, async (_args, model, caller) => {
  // No call makes time pass, so what was paid is made older by the time that is left.
  await gateway.deps.db.query(
    `with passed as (
       update account set service_expires_at = least(old.service_expires_at, clock_timestamp())
       from account old where account.id = $1 and old.id = account.id
       returning old.service_expires_at - account.service_expires_at as time)
     update credit set credited_at = credited_at - time from passed where account_id = $1`,
    [caller.accountId],
  );
  if (model.expiresAt !== null) model.expiresAt = Math.min(model.expiresAt, Date.now() - 1);
});

/** Buys access, and compares when it ends. */
async function payFor(model: ModelLearner, caller: Caller): Promise<void> {
  const before = Date.now();
  await buyAccess(gateway, caller.token, { consent_version: 'no-2026-11' });
  model.pay(DAYS, before);
  const { body } = await get(caller, '/account');
  const expiresAt = new Date(body.account.service_expires_at as string).getTime();
  // At the time of the payment, which is between these two.
  expect(expiresAt).toBeGreaterThanOrEqual(model.expiresAt! - 1);
  expect(expiresAt).toBeLessThanOrEqual(model.expiresAt! + Date.now() - before);
  model.expiresAt = expiresAt;
}

/** Compares the learner's lists and progress with the model. */
async function expectLists(model: ModelLearner, caller: Caller): Promise<void> {
  const [open, history, progress] = await Promise.all(
    ['/quiz/open', '/quiz/history', '/quiz/progress'].map((path) => get(caller, path)),
  );
  const expectedOpen = model.open().map(({ id, answers }) => [id, answers.size] as const);
  const listed = open!.body.quizzes.map((quiz: { id: string; answered: number }) => [
    quiz.id,
    quiz.answered,
  ]);
  expect(listed).toHaveLength(Math.min(expectedOpen.length, MAX_LISTED_OPEN));
  expect(expectedOpen).toEqual(expect.arrayContaining(listed));

  const byId = new Map(model.quizzes.map((quiz) => [quiz.id, quiz]));
  const ended = model.history.toReversed().map((id) => byId.get(id)!);
  expect(
    history!.body.history.map((item: Record<string, unknown>) => [
      item.id,
      item.correct_answers,
      item.total_questions,
    ]),
  ).toEqual(ended.map(({ id, score, total }) => [id, score, total]));

  const latest = [...model.latest().values()];
  const topics = Object.keys(TOPICS).flatMap((topic) => {
    const met = latest.filter((one) => one.topic === topic);
    const right = met.filter((one) => one.right).length;
    return met.length > 0 ? [{ topic, met: met.length, right }] : [];
  });
  expect({
    mistakes: progress!.body.mistakes,
    topics: progress!.body.topics.map(({ topic, met, right }: Record<string, unknown>) => ({
      topic,
      met,
      right,
    })),
  }).toEqual({
    mistakes: latest.filter(({ right }) => !right).length,
    topics: topics.toSorted((one, other) => one.topic.localeCompare(other.topic, 'nb')),
  });
}

const history = fc.commands(
  [
    start,
    start,
    ...Array.from({ length: 14 }, () => answer),
    answerWrongly,
    mark,
    end,
    leave,
    read,
    readForeign,
    readLists,
    pay,
    pay,
    expire,
  ],
  { maxCommands: MAX_CALLS, size: 'max' },
);

test(
  `${HISTORIES} × ${LEARNERS} learners who act at random see what a model says`,
  { timeout: TIMEOUT_MS },
  async () => {
    const { db } = gateway.deps;
    const calls = new Map<string, number>();
    const accounts: string[] = [];
    const all: ModelLearner[] = [];

    async function createCaller(models: () => readonly ModelLearner[], own: number) {
      const { idToken: token, email } = await gateway.identity.createPasswordUser();
      await gateway.call('GET', '/account', { token });
      const { rows } = await db.query<{ id: string }>('select id from account where email = $1', [
        email,
      ]);
      const accountId = rows[0]!.id;
      accounts.push(accountId);
      const foreignQuiz = () =>
        models().find((model, index) => index !== own && model.quizzes.length > 0)?.quizzes[0];
      return { token, accountId, foreignQuiz, calls };
    }

    async function live(ofLearners: Iterable<Command>[]): Promise<void> {
      const models = ofLearners.map(() => new ModelLearner(OPEN_DRILLS, TOPICS));
      all.push(...models);
      await Promise.all(
        ofLearners.map(async (commands, index) => {
          const model = models[index]!;
          const real = await createCaller(() => models, index);
          // The last learner begins without access.
          if (index < LEARNERS - 1) await payFor(model, real);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await expectLists(model, real);
          for (const quiz of model.quizzes) {
            expectSeen(quiz, (await get(real, `/quiz/${quiz.id}`)).body as SeenQuiz);
          }
        }),
      );
    }

    let failedAt = Infinity;
    const histories = fc.asyncProperty(
      fc.tuple(...Array.from({ length: LEARNERS }, () => history)),
      async (ofLearners) => {
        // Not a time limit of fast-check, which would also end a slow run, and leave its last history under way.
        if (Date.now() - failedAt > MAX_SHRINK_MS) return;
        await live(ofLearners).catch((error: unknown) => {
          failedAt = Math.min(failedAt, Date.now());
          throw error;
        });
      },
    );
    // Lists and progress must not wait for the workers, nor be changed by them.
    const half = { numRuns: HISTORIES / 2 };
    await fc.assert(histories, { seed, ...half });
    const { start: startWorkers } = await workers.on(gateway, undefined, {
      SMTP_URL: mailbox.smtpUrl,
    });
    startWorkers();
    await fc.assert(histories, { seed: seed + 1, ...half });

    await allConsumed(db);
    let rebuilt = 0;
    for (const id of accounts) rebuilt += await rebuildAccount(db, id);
    expect(rebuilt).toBe(0);
    const { kept, counted } = await recount(db);
    expect(kept).toEqual(counted);
    const { rows } = await db.query<{ right: number; wrong: number }>(
      `select coalesce(sum(times_correct), 0)::int as right,
         coalesce(sum(times_incorrect), 0)::int as wrong from question_statistics`,
    );
    const stored = all
      .flatMap(({ quizzes }) => quizzes)
      .filter(({ isTest, state }) => !isTest || state === 'ended');
    const right = stored.reduce((sum, quiz) => sum + rightIn(quiz), 0);
    const answers = stored.reduce((sum, quiz) => sum + quiz.answers.size, 0);
    expect(rows[0]).toEqual({ right, wrong: answers - right });
    printTable(`Learners who act at random (seed ${seed})`, {
      learners: accounts.length,
      ...Object.fromEntries([...calls].toSorted(([one], [other]) => one.localeCompare(other))),
      'quizzes started': all.reduce((sum, { quizzes }) => sum + quizzes.length, 0),
      'answers counted': answers,
      'memories that a rebuild changes': rebuilt,
    });
  },
);
