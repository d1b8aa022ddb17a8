import type { Exam } from '@proveklar/contract/quiz.ts';
import { ALL_TOPICS, MISTAKES, PRACTICE_TEST, TODAY } from '@proveklar/contract/quiz-topics.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { isForeignKeyViolation } from '#database/sql-state.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { isOffered, requireOffered } from '#languages/languages.ts';
import { drawNewOf, drawToday } from '#learning/draw-today.ts';
import { LATEST_ANSWERS } from '#learning/latest-answers.ts';
import { ensureRebuilt } from '#learning/rebuild.ts';
import {
  type Limits,
  throwIfLimited,
  secondsUntilAllowed,
  acquireAccountLock,
} from '#limits/limits.ts';
import { type DrawnQuestion, drawQuestions, drawTest } from '#questions/draw-questions.ts';
import { CompatibleQuestions, EXCLUDING, type Excluding } from '#questions/exclusions.ts';
import type { QuizKind } from './quiz.ts';
import type { OpenQuiz } from './quiz-history.ts';
import { readQuiz } from './read-quiz.ts';

export interface QuizRequest {
  /** A topic, `all`, `mistakes`, `today`, or `Praktisk prøve`. */
  topic: string;
  /** For a drill of mistakes: only those of this topic. */
  mistakesOf?: string | undefined;
  language: string;
  instantFeedback: boolean;
  /** For a drill; a practice test has as many questions as its exam. */
  questionCount: number;
  /** Of a practice test; by default the one that the learner has chosen, else samfunnskunnskap. */
  exam?: Exam | undefined;
  /** Whether a drill of a topic has questions first that the learner was not shown; default false. */
  newFirst?: boolean;
  /** Whether a practice test has a deadline; default true. */
  timed?: boolean;
}

interface ExamProfile {
  name: Exam;
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
  /** `timesShown`: how often the learner had been shown it, in repetition; otherwise 0. */
  questions: (DrawnQuestion & { counted: boolean; timesShown: number })[];
}

/** What the limits for new quizzes are checked with. */
interface QuizLimitCheck {
  accountId: string;
  kind: QuizKind;
  limits: Pick<Limits, 'quizzes' | 'openDrills'>;
}

/**
 * Draws and starts a quiz. Where the bank has too few questions for a practice test in its language, the fallback
 * language fills it up. At the limit of open drills, the oldest drill without an answer is cancelled.
 *
 * @throws AppError `language_not_offered`; `rate_limited` with `retry_after_s`; `too_many_open` with
 *   `quizzes` (the open drills) when all of them have answers; `topic_unknown` when the bank has no
 *   question on the topic in this language; `no_mistakes` when a drill of mistakes has nothing to draw;
 *   `not_enough_questions` when the bank cannot fill a practice test; `account_disabled`;
 *   `service_expired`
 */
export async function startQuiz(
  { db, limits }: { db: Database; limits: Limits },
  accountId: string,
  request: QuizRequest,
) {
  const kind = request.topic === PRACTICE_TEST ? 'practice_test' : 'drill';
  const limitCheck: QuizLimitCheck = { accountId, kind, limits };
  // Before the draw, which is the expensive part: a refused request costs one query and takes no lock.
  await checkQuizLimits(db, limitCheck);
  const { fallback } = await requireOffered(db, request.language);
  for (;;) {
    // Drawn before the transaction begins: the draw is slow and needs no lock.
    const quiz =
      kind === 'practice_test'
        ? await drawPracticeTest(db, accountId, request, fallback)
        : await drawDrill(db, accountId, request);
    try {
      const quizId = await withTransaction(db, async (tx) => {
        await makeRoom(tx, limitCheck);
        return insertQuiz(tx, accountId, request, quiz);
      });
      return await readQuiz(db, accountId, quizId);
    } catch (error) {
      // A question was deleted after it was drawn; the next draw does not include it.
      if (!isDeletedQuestion(error)) throw error;
    }
  }
}

async function drawPracticeTest(
  db: Database,
  accountId: string,
  request: QuizRequest,
  fallback: string | null,
): Promise<NewQuiz> {
  const { rows } = await db.query<ExamProfile>(
    `select name, questions_shown, questions_counted, pass_mark, minutes from exam_profile
     where name = coalesce($1, (select exam from learner_plan where account_id = $2), 'samfunnskunnskap')`,
    [request.exam, accountId],
  );
  const profile = rows[0]!;
  const questions = await drawTest(db, {
    language: request.language,
    fallback,
    count: profile.questions_shown,
    // The others are trial questions, as in the real test.
    counted: profile.questions_counted,
  });
  if (questions.length < profile.questions_shown) throw new AppError('not_enough_questions');
  return {
    kind: 'practice_test',
    // As in the real test, no result before hand-in.
    instantFeedback: false,
    exam: profile.name,
    passMark: profile.pass_mark,
    minutes: request.timed === false ? null : profile.minutes,
    questions: questions.map((question) => ({ ...question, timesShown: 0 })),
  };
}

async function drawDrill(db: Database, accountId: string, request: QuizRequest): Promise<NewQuiz> {
  const questions = await drawTopic(db, accountId, request);
  if (questions.length === 0) {
    const code = request.topic === MISTAKES ? 'no_mistakes' : 'topic_unknown';
    throw new AppError(code, { details: { field: 'topic' } });
  }
  return {
    kind: 'drill',
    instantFeedback: request.instantFeedback,
    exam: null,
    passMark: null,
    minutes: null,
    questions: questions.map((question) => ({ timesShown: 0, ...question, counted: true })),
  };
}

async function drawTopic(
  db: Database,
  accountId: string,
  { topic, mistakesOf, language, questionCount: count, newFirst = false }: QuizRequest,
): Promise<(DrawnQuestion & { timesShown?: number })[]> {
  if (topic === TODAY) return drawToday(db, accountId, { language, count });
  if (topic === MISTAKES)
    return drawMistakes(db, accountId, { language, count, topic: mistakesOf });
  if (topic === ALL_TOPICS) return drawQuestions(db, { language, count, topic: null });
  const fresh = newFirst ? await drawNewOf(db, accountId, { topic, language, count }) : [];
  if (fresh.length === count) return fresh;
  const others = await drawQuestions(db, { language, count: count + fresh.length, topic });
  const ids = new Set(fresh.map(({ id }) => id));
  return [...fresh, ...others.filter(({ id }) => !ids.has(id))].slice(0, count);
}

/**
 * Cancels the oldest open drills without an answer, to make room for a quiz that the same transaction
 * inserts. The account's advisory lock serializes its starts, so that no two of them use the same room.
 *
 * @throws AppError as `checkQuizLimits`
 */
async function makeRoom(tx: Transaction, limitCheck: QuizLimitCheck): Promise<void> {
  await acquireAccountLock(tx, limitCheck.accountId);
  for (;;) {
    const surplus = await checkQuizLimits(tx, limitCheck);
    if (surplus.length === 0) return;
    // Waits for answers that are being stored (they hold a share lock). In the order of the ids, as
    // everywhere, so that no two transactions deadlock.
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
    // One of them was answered or ended meanwhile; the next check does not return it.
  }
}

/**
 * Checks the limits for one more quiz: quizzes an hour and, for a drill, open drills.
 *
 * @returns the oldest open drills without an answer, as many as must be cancelled to make room
 * @throws AppError `rate_limited` with `retry_after_s`; `too_many_open` with `quizzes`: the open drills,
 *   newest first, when too few of them are without an answer
 */
async function checkQuizLimits(
  db: Queryable,
  { accountId, kind, limits }: QuizLimitCheck,
): Promise<string[]> {
  const { rows } = await db.query<{ seconds: number }>({
    name: 'limit-quizzes',
    text: `select ${secondsUntilAllowed('quiz', 'started_at', 'account_id = $1', 2)} as seconds`,
    values: [accountId, limits.quizzes],
  });
  throwIfLimited(rows[0]!.seconds);
  if (kind === 'practice_test') return [];
  const drills = await listOpenDrills(db, accountId);
  const surplus = drills.length + 1 - limits.openDrills;
  if (surplus <= 0) return [];
  const empty = drills.filter(({ answered }) => answered === 0);
  if (empty.length < surplus) throw new AppError('too_many_open', { details: { quizzes: drills } });
  return empty.slice(-surplus).map(({ id }) => id);
}

/** The open drills of an account, newest first. */
async function listOpenDrills(db: Queryable, accountId: string) {
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
  request: QuizRequest,
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
           insert into quiz_question
             (quiz_id, question_id, position, counted, version, times_shown)
           select quiz.id, drawn.question_id, drawn.position, drawn.counted,
                  coalesce(question.version, 1), drawn.times_shown
           from quiz cross join unnest($9::bigint[], $10::boolean[], $12::int[])
             with ordinality as drawn (question_id, counted, times_shown, position)
             -- A question that was deleted since the draw violates the foreign key.
             left join question on question.id = drawn.question_id
           returning quiz_id as id`,
    values: [
      accountId,
      quiz.kind,
      request.topic,
      request.language,
      quiz.instantFeedback,
      quiz.exam,
      quiz.minutes,
      counted.filter(Boolean).length,
      questionIds,
      counted,
      quiz.passMark,
      quiz.questions.map(({ timesShown }) => timesShown),
    ],
  });
  const quizId = rows[0]!.id;
  await emit(tx, 'quiz.started', { quiz_id: quizId, question_ids: questionIds });
  return quizId;
}

function isDeletedQuestion(error: unknown): boolean {
  return isForeignKeyViolation(error, 'quiz_question_question_id_fkey');
}

const DRAW_MISTAKES = `
  select id, topic, latest.times_shown as "timesShown", ${EXCLUDING}
  from (${LATEST_ANSWERS}) latest
  join question on question.id = latest.question_id
  where not latest.correct and question.language = $2 and validated and retired_at is null
    and ($4::text is null or topic = $4) and ${isOffered('$2')}
  order by random() limit $3`;

/** Mistakes to choose from for each that is wanted, so that enough are left when some exclude others. */
const MISTAKE_CANDIDATES = 10;

/**
 * Draws at most `count` random questions whose latest answer by this account was wrong. One excludes another
 * only where no others are left.
 */
export async function drawMistakes(
  db: Database,
  accountId: string,
  { language, count, topic }: { language: string; count: number; topic?: string | undefined },
): Promise<(DrawnQuestion & { timesShown: number })[]> {
  await ensureRebuilt(db, accountId);
  const { rows } = await db.query<DrawnQuestion & Excluding & { timesShown: number }>({
    name: 'draw-mistakes',
    text: DRAW_MISTAKES,
    values: [accountId, language, count * MISTAKE_CANDIDATES, topic ?? null],
  });
  const { added, excluded } = new CompatibleQuestions().addFirst(rows, count);
  return [...added, ...excluded]
    .slice(0, count)
    .map(({ id, topic: of, timesShown }) => ({ id, topic: of, timesShown }));
}
