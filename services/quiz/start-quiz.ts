import type { Exam } from '@proveklar/contract/quiz.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { isOffered, requireOffered } from '#languages/languages.ts';
import {
  type Limits,
  throwIfLimited,
  secondsUntilAllowed,
  acquireAccountLock,
} from '#limits/limits.ts';
import { type DrawnQuestion, drawQuestions } from '#questions/draw-questions.ts';
import { ALL_TOPICS, MISTAKES, PRACTICE_TEST } from '#questions/topics.ts';
import { LATEST_ANSWERS } from './latest-answers.ts';
import type { QuizKind } from './quiz.ts';
import type { OpenQuiz } from './quiz-history.ts';
import { readQuiz } from './read-quiz.ts';

export interface QuizWish {
  /** A topic, `all`, `mistakes`, or `Praktisk prøve`. */
  topic: string;
  language: string;
  instantFeedback: boolean;
  /** Of a drill; a practice test has as many as its exam. */
  questionCount: number;
  exam: Exam;
  /** Whether a practice test has a deadline; default true. */
  timed?: boolean;
}

interface ExamProfile {
  questions_shown: number;
  questions_counted: number;
  pass_mark: number;
  minutes: number;
}

interface NewQuiz {
  kind: QuizKind;
  instantFeedback: boolean;
  exam: Exam | null;
  passMark: number | null;
  minutes: number | null;
  questions: (DrawnQuestion & { counted: boolean })[];
}

/** Which quiz an account wants to start, and how many it may. */
interface WantedQuiz {
  accountId: string;
  kind: QuizKind;
  limits: Pick<Limits, 'quizzes' | 'openDrills'>;
}

/**
 * Draws a quiz for an account. A drill too many takes the place of the oldest open one without an
 * answer.
 *
 * @throws AppError `language_not_offered`; `rate_limited` with `retry_after_s`, `too_many_open` with `quizzes` (the open drills,
 *   when all of them have answers), `topic_unknown` when the bank has no question on the topic in this language,
 *   `no_mistakes` when there is nothing to draw for a drill of mistakes, `not_enough_questions` when
 *   it cannot fill a practice test, `account_disabled` and `service_expired`
 */
export async function startQuiz(
  { db, limits }: { db: Database; limits: Limits },
  accountId: string,
  wish: QuizWish,
) {
  const kind = wish.topic === PRACTICE_TEST ? 'practice_test' : 'drill';
  const wanted: WantedQuiz = { accountId, kind, limits };
  // Before the draw, which is the work: a flood is to cost one query, and hold no lock.
  await refuseTooMany(db, wanted);
  await requireOffered(db, wish.language);
  for (;;) {
    // Drawn before the transaction begins: the drawing needs no lock, and holds up nobody.
    const quiz =
      kind === 'practice_test'
        ? await drawPracticeTest(db, wish)
        : await drawDrill(db, accountId, wish);
    try {
      const quizId = await withTransaction(db, async (tx) => {
        await makeRoom(tx, wanted);
        return insertQuiz(tx, accountId, wish, quiz);
      });
      return await readQuiz(db, accountId, quizId);
    } catch (error) {
      // A question was deleted after it was drawn: the next draw does not have it.
      if (!isDeletedQuestion(error)) throw error;
    }
  }
}

async function drawPracticeTest(db: Database, wish: QuizWish): Promise<NewQuiz> {
  const { rows } = await db.query<ExamProfile>(
    'select questions_shown, questions_counted, pass_mark, minutes from exam_profile where name = $1',
    [wish.exam],
  );
  const profile = rows[0]!;
  const draw = { language: wish.language, topic: null, count: profile.questions_shown };
  const questions = await drawQuestions(db, draw);
  if (questions.length < profile.questions_shown) throw new AppError('not_enough_questions');
  return {
    kind: 'practice_test',
    // The real test tells nothing until it is handed in.
    instantFeedback: false,
    exam: wish.exam,
    passMark: profile.pass_mark,
    minutes: wish.timed === false ? null : profile.minutes,
    questions: withTrialQuestions(questions, profile.questions_counted),
  };
}

/** Marks at random which questions stand outside the score, as the real test does. */
function withTrialQuestions(questions: DrawnQuestion[], counted: number) {
  const trial = new Set<number>();
  while (trial.size < questions.length - counted) {
    trial.add(Math.floor(Math.random() * questions.length));
  }
  return questions.map((question, index) => ({ ...question, counted: !trial.has(index) }));
}

async function drawDrill(db: Database, accountId: string, wish: QuizWish): Promise<NewQuiz> {
  const topic = wish.topic === ALL_TOPICS ? null : wish.topic;
  const ofMistakes = wish.topic === MISTAKES;
  const draw = { language: wish.language, topic, count: wish.questionCount };
  const questions = ofMistakes
    ? await drawMistakes(db, accountId, draw)
    : await drawQuestions(db, draw);
  if (questions.length === 0) {
    const code = ofMistakes ? 'no_mistakes' : 'topic_unknown';
    throw new AppError(code, { details: { field: 'topic' } });
  }
  return {
    kind: 'drill',
    instantFeedback: wish.instantFeedback,
    exam: null,
    passMark: null,
    minutes: null,
    questions: questions.map((question) => ({ ...question, counted: true })),
  };
}

/**
 * Makes room for a quiz that the same transaction inserts: cancels the oldest open drills without an
 * answer. Starts of one account go one after the other, so no two of them take the same room.
 *
 * @throws AppError as `refuseTooMany`
 */
async function makeRoom(tx: Transaction, wanted: WantedQuiz): Promise<void> {
  await acquireAccountLock(tx, wanted.accountId);
  for (;;) {
    const surplus = await refuseTooMany(tx, wanted);
    if (surplus.length === 0) return;
    // Waits for answers on their way (they hold a share lock). In the order of the ids, as for every
    // lock on several quizzes.
    await tx.query(`select from quiz where id = any ($1::uuid[]) order by id for update`, [
      surplus,
    ]);
    const { rowCount } = await tx.query(
      `update quiz set state = 'cancelled', ended_at = now()
       where id = any ($1::uuid[]) and state = 'open'
         and not exists (select from quiz_answer where quiz_id = quiz.id)`,
      [surplus],
    );
    if (rowCount === surplus.length) return;
    // One was answered or ended meanwhile: that one is not in the list any more.
  }
}

/**
 * Refuses a quiz too many: within the hour, or beside open drills that all have answers. A practice
 * test counts for the hour only.
 *
 * @returns the oldest open drills without an answer, as many as must go to make room for this one
 * @throws AppError `rate_limited` with `retry_after_s`, `too_many_open` with `quizzes`: the open
 *   drills, the newest first
 */
async function refuseTooMany(
  db: Queryable,
  { accountId, kind, limits }: WantedQuiz,
): Promise<string[]> {
  const { rows } = await db.query<{ seconds: number }>({
    name: 'limit-quizzes',
    text: `select ${secondsUntilAllowed('quiz', 'started_at', 'account_id = $1', 2)} as seconds`,
    values: [accountId, limits.quizzes],
  });
  throwIfLimited(rows[0]!.seconds);
  if (kind === 'practice_test') return [];
  const drills = await openDrills(db, accountId);
  const tooMany = drills.length + 1 - limits.openDrills;
  if (tooMany <= 0) return [];
  const empty = drills.filter(({ answered }) => answered === 0);
  if (empty.length < tooMany) throw new AppError('too_many_open', { details: { quizzes: drills } });
  return empty.slice(-tooMany).map(({ id }) => id);
}

/** The open drills of an account, the newest first. */
async function openDrills(db: Queryable, accountId: string) {
  const { rows } = await db.query<OpenQuiz>({
    name: 'open-drills',
    text: `select id, topic, started_at,
             (select count(*)::int from quiz_answer where quiz_id = quiz.id) as answered,
             (select count(*)::int from quiz_question where quiz_id = quiz.id) as questions,
             null as seconds_left
           from quiz where account_id = $1 and state = 'open' and kind = 'drill'
           order by started_at desc`,
    values: [accountId],
  });
  return rows.map((quiz) => ({ ...quiz, started_at: quiz.started_at.toISOString() }));
}

async function insertQuiz(
  tx: Transaction,
  accountId: string,
  wish: QuizWish,
  quiz: NewQuiz,
): Promise<string> {
  const questionIds = quiz.questions.map((question) => question.id);
  const counted = quiz.questions.map((question) => question.counted);
  await requireActiveAccount(tx, accountId, 'service');
  const { rows } = await tx.query<{ id: string }>({
    name: 'insert-quiz',
    text: `with quiz as (
             insert into quiz
               (account_id, kind, topic, language, instant_feedback, exam, pass_mark, deadline_at,
                total)
             values ($1, $2, $3, $4, $5, $6, $11, now() + make_interval(mins => $7), $8)
             returning id)
           insert into quiz_question (quiz_id, question_id, position, counted, version)
           select quiz.id, drawn.question_id, drawn.position, drawn.counted,
                  coalesce(question.version, 1)
           from quiz cross join unnest($9::bigint[], $10::boolean[])
             with ordinality as drawn (question_id, counted, position)
             -- One that was deleted since it was drawn is refused by the foreign key.
             left join question on question.id = drawn.question_id
           returning quiz_id as id`,
    values: [
      accountId,
      quiz.kind,
      wish.topic,
      wish.language,
      quiz.instantFeedback,
      quiz.exam,
      quiz.minutes,
      counted.filter(Boolean).length,
      questionIds,
      counted,
      quiz.passMark,
    ],
  });
  const quizId = rows[0]!.id;
  await emit(tx, 'quiz.started', { quiz_id: quizId, question_ids: questionIds });
  return quizId;
}

function isDeletedQuestion(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23503' && constraint === 'quiz_question_question_id_fkey';
}

const DRAW = `
  select id, topic
  from (${LATEST_ANSWERS}) latest
  join question on question.id = latest.question_id
  where not latest.correct and question.language = $2 and validated and retired_at is null
    and ${isOffered('$2')}
  order by random() limit $3`;

/** At most `count` questions, at random, of those whose latest answer by this account was wrong. */
export async function drawMistakes(
  db: Queryable,
  accountId: string,
  { language, count }: { language: string; count: number },
): Promise<DrawnQuestion[]> {
  const { rows } = await db.query<DrawnQuestion>({
    name: 'draw-mistakes',
    text: DRAW,
    values: [accountId, language, count],
  });
  return rows;
}
