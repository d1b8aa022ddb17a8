// Over 400 lines: the estimates of a refit, the model that they share, and how both are read and stored.
import {
  type Ability,
  abilityOf,
  DEFAULT_POPULATION,
  estimateAbility,
  type FirstAnswer,
  inverse,
  levelOf,
  logistic,
  rightProbability,
  SLIP,
  type Population,
} from './ability.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';
import { nextMemory } from './memory.ts';
import { dayOf, IS_SHOWN } from './record-answers.ts';
import {
  DEFAULT_RECALL,
  knownBefore,
  type Recall,
  recallFeatures,
  recallProbability,
  type SeenQuestion,
} from './readiness.ts';

/** An answer of a learner, in the order of their times. */
export interface HistoryAnswer {
  questionId: number;
  topic: string;
  /** Europe/Oslo, as a number of days. */
  day: number;
  correct: boolean;
  shownMs: number | null;
  /** 1 / the options that were shown. */
  guess: number;
}

/** How hard a question is. */
interface Measured {
  /** Logits. */
  difficulty: number;
  /** Of its posterior. */
  variance: number;
  answers: number;
}

interface Fit {
  population: Population;
  recall: Recall;
  /** Logits by question; only of those with answers. */
  difficulties: Map<number, Measured>;
}

interface Repeated {
  questionId: number;
  topic: string;
  features: ReturnType<typeof recallFeatures>;
  firstCorrect: boolean;
  /** Of the first answer. */
  firstGuess: number;
  correct: boolean;
  guess: number;
}

type Seen = Pick<
  SeenQuestion,
  'firstCorrect' | 'guess' | 'lastCorrect' | 'timesShown' | 'timesRight'
>;

interface Learner {
  first: (FirstAnswer & { questionId: number })[];
  repeated: Repeated[];
}

/** What the answers of a learner say of them. */
interface Estimate {
  /** Of the ability. */
  mean: number;
  variance: number;
  levels: Map<string, ReturnType<typeof levelOf>>;
}

const summaryOf = (ability: Ability): Estimate => ({
  ...abilityOf(ability),
  levels: new Map([...ability.likelihoods.keys()].map((topic) => [topic, levelOf(ability, topic)])),
});

const ROUNDS = 12;

/**
 * Estimates what is common to all learners from histories of a sample of them: an EM algorithm (Bock & Aitkin
 * 1981) for the Rasch model of first answers, then a
 * logistic regression of the answers to repeated questions. The same histories give the same result.
 */
export async function fitLearners(
  histories: readonly (readonly HistoryAnswer[])[],
  pause: () => Promise<void> = async () => {},
): Promise<Fit> {
  const usual = usualOf(histories);
  const learners = histories.map((history) => splitHistory(history, usual));
  let population = DEFAULT_POPULATION;
  let difficulties = new Map<number, Measured>();
  let estimates: Estimate[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    estimates = [];
    for (const [index, { first }] of learners.entries()) {
      for (const answer of first) {
        answer.difficulty = difficulties.get(answer.questionId)?.difficulty ?? 0;
      }
      estimates.push(summaryOf(estimateAbility(first, population)));
      // Lets jobs and their locks go on meanwhile.
      if (index % 100 === 99) await pause();
    }
    difficulties = fitDifficulties(learners, estimates, difficulties, population);
    population = fitPopulation(estimates, difficulties, population);
  }
  return { population, recall: fitRecall(learners, estimates, difficulties, usual), difficulties };
}

/** The share of right answers to questions that a learner was shown before. */
function usualOf(histories: readonly (readonly HistoryAnswer[])[]): number {
  let shown = 0;
  let right = 0;
  for (const history of histories) {
    const met = new Set<number>();
    for (const { questionId, correct } of history) {
      if (met.has(questionId)) {
        shown += 1;
        right += Number(correct);
      }
      met.add(questionId);
    }
  }
  return (right + PRIOR_ANSWERS * DEFAULT_RECALL.usual) / (shown + PRIOR_ANSWERS);
}

function splitHistory(answers: readonly HistoryAnswer[], usual: number): Learner {
  const memories = new Map<number, ReturnType<typeof nextMemory> & Seen>();
  const learner: Learner = { first: [], repeated: [] };
  const repeats = { shown: 0, right: 0, usual };
  for (const { questionId, topic, day, correct, shownMs, guess } of answers) {
    const before = memories.get(questionId);
    if (before) {
      learner.repeated.push({
        questionId,
        topic,
        features: recallFeatures({ ...before, elapsedDays: day - before.day }, repeats),
        firstCorrect: before.firstCorrect,
        firstGuess: before.guess,
        correct,
        guess,
      });
      repeats.shown += 1;
      repeats.right += Number(correct);
    } else {
      learner.first.push({ questionId, topic, correct, guess, difficulty: 0 });
    }
    const memory = nextMemory(before ?? null, { day, correct, shownMs });
    memories.set(questionId, {
      ...memory,
      firstCorrect: before?.firstCorrect ?? correct,
      guess: before?.guess ?? guess,
      lastCorrect: correct,
      timesShown: (before?.timesShown ?? 0) + 1,
      timesRight: (before?.timesRight ?? 0) + Number(correct),
    });
  }
  return learner;
}

/** Points and weights that average over a normal distribution (Gauss-Hermite quadrature). */
const NORMAL_POINTS = [
  [-Math.sqrt(3), 1 / 6],
  [0, 2 / 3],
  [Math.sqrt(3), 1 / 6],
] as const;

/** One step of Fisher scoring for every difficulty, centred at 0. */
function fitDifficulties(
  learners: readonly Learner[],
  estimates: readonly Estimate[],
  before: ReadonlyMap<number, { difficulty: number }>,
  { difficultyVariance }: Population,
) {
  const sums = new Map<number, { score: number; information: number; answers: number }>();
  for (const [index, { first }] of learners.entries()) {
    for (const { questionId, topic, correct, guess } of first) {
      const difficulty = before.get(questionId)?.difficulty ?? 0;
      const { level, variance } = estimates[index]!.levels.get(topic)!;
      const sum = sums.get(questionId) ?? { score: 0, information: 0, answers: 0 };
      for (const [point, weight] of NORMAL_POINTS) {
        const known = logistic(level + point * Math.sqrt(variance) - difficulty);
        const p = rightProbability(known, guess);
        const slope = (1 - SLIP - guess) * known * (1 - known);
        sum.score -= (weight * slope * (Number(correct) - p)) / (p * (1 - p));
        sum.information += (weight * slope ** 2) / (p * (1 - p));
      }
      sum.answers += 1;
      sums.set(questionId, sum);
    }
  }
  const stepped = [...sums].map(([questionId, { score, information, answers }]) => {
    const difficulty = before.get(questionId)?.difficulty ?? 0;
    const precision = information + 1 / difficultyVariance;
    const step = (score - difficulty / difficultyVariance) / precision;
    return {
      questionId,
      answers,
      variance: 1 / precision,
      difficulty: difficulty + Math.max(-1, Math.min(1, step)),
    };
  });
  const center =
    stepped.reduce((sum, { difficulty }) => sum + difficulty, 0) / Math.max(1, stepped.length);
  return new Map(
    stepped.map(({ questionId, difficulty, variance, answers }) => [
      questionId,
      { difficulty: difficulty - center, variance, answers },
    ]),
  );
}

function fitPopulation(
  estimates: readonly Estimate[],
  difficulties: ReadonlyMap<number, Measured>,
  before: Population,
): Population {
  if (estimates.length === 0) return before;
  const abilityMean = average(estimates.map(({ mean }) => mean));
  const abilityVariance = average(
    estimates.map(({ mean, variance }) => variance + (mean - abilityMean) ** 2),
  );
  const offsets = estimates.flatMap(({ levels }) =>
    [...levels.values()].map(({ offsetSquare }) => offsetSquare),
  );
  const spread = [...difficulties.values()].map(
    ({ difficulty, variance }) => difficulty ** 2 + variance,
  );
  return {
    abilityMean,
    abilityVariance: Math.max(0.05, abilityVariance),
    topicVariance: Math.max(0.04, offsets.length > 0 ? average(offsets) : before.topicVariance),
    difficultyVariance: Math.max(
      0.05,
      spread.length > 0 ? average(spread) : before.difficultyVariance,
    ),
  };
}

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Repeated answers that the default weights count as much as. */
const PRIOR_ANSWERS = 200;

const WEIGHTS = ['bias', 'memory', 'lastRight', 'history', 'learner'] as const;

/** Fisher scoring for the weights of `Recall`, pulled towards the defaults where there are few answers. */
function fitRecall(
  learners: readonly Learner[],
  estimates: readonly Estimate[],
  difficulties: ReadonlyMap<number, { difficulty: number }>,
  usual: number,
): Recall {
  const fit = { ...DEFAULT_RECALL, usual };
  const samples = learners.flatMap(({ repeated }, index) =>
    repeated.map(({ topic, questionId, firstCorrect, firstGuess, ...answer }) => {
      const { level } = estimates[index]!.levels.get(topic)!;
      const difficulty = difficulties.get(questionId)?.difficulty ?? 0;
      const before = knownBefore(level - difficulty, { firstCorrect, guess: firstGuess });
      return { ...answer, before };
    }),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = WEIGHTS.map(
      (name) => PRIOR_ANSWERS * 0.1 * (DEFAULT_RECALL[name] - fit[name]),
    );
    const information = WEIGHTS.map((_, row) =>
      WEIGHTS.map((__, column) => (row === column ? PRIOR_ANSWERS * 0.1 : 0)),
    );
    for (const { features, before, correct, guess } of samples) {
      const remembered = recallProbability(features, fit);
      const p = rightProbability(1 - (1 - before) * (1 - remembered), guess);
      const slope = (1 - SLIP - guess) * (1 - before) * remembered * (1 - remembered);
      const score = (slope * (Number(correct) - p)) / (p * (1 - p));
      const weight = slope ** 2 / (p * (1 - p));
      // Loops over `entries()` would take five times as long.
      for (let row = 0; row < WEIGHTS.length; row += 1) {
        gradient[row]! += score * features[row]!;
        for (let column = 0; column < WEIGHTS.length; column += 1) {
          information[row]![column]! += weight * features[row]! * features[column]!;
        }
      }
    }
    const steps = inverse(information).map((row) =>
      row.reduce((sum, value, column) => sum + value * gradient[column]!, 0),
    );
    for (const [place, name] of WEIGHTS.entries()) {
      fit[name] += Math.max(-0.5, Math.min(0.5, steps[place]!));
    }
    if (steps.every((step) => Math.abs(step) < 1e-4)) break;
  }
  return fit;
}

type FittedParameters = Pick<Fit, 'population' | 'recall'>;

/** The last refit; the defaults before the first. */
export interface LearningFit extends FittedParameters {
  /** Changes with each refit. */
  revision: string;
}

export async function readFit(db: Queryable): Promise<LearningFit> {
  const { rows } = await db.query<{ revision: string; parameters: FittedParameters }>({
    name: 'learning-fit',
    text: 'select fitted_at::text as revision, parameters from learning_fit',
  });
  const [stored] = rows;
  return {
    revision: stored?.revision ?? '',
    population: stored?.parameters.population ?? DEFAULT_POPULATION,
    // A refit of the release before has fewer weights.
    recall: { ...DEFAULT_RECALL, ...stored?.parameters.recall },
  };
}

/** Learners of the sample: enough for difficulties within 0.1 logits in a bank of some hundred questions. */
const MAX_LEARNERS = 2_000;
/** Bounds the memory of a refit to some hundred MB. */
const MAX_ANSWERS = 400_000;
/** Learners whose answers are read at once. */
const READ_TOGETHER = 50;
/** With fewer answers the defaults stay. */
const MIN_ANSWERS = 2_000;

// The learners who practised last. Their choice does not depend on a random number: the same database gives
// the same fit.
const HISTORIES = `
  select quiz.account_id, quiz_answer.question_id as "questionId", question.topic,
         ${dayOf('quiz_answer.answered_at')} as day, quiz_answer.correct, shown_ms as "shownMs",
         case quiz.kind when 'practice_test' then least(${PRACTICE_TEST_DISTRACTORS}, cardinality(question.incorrect))
           else cardinality(question.incorrect) end + 1 as options
  from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
  join question on question.id = quiz_answer.question_id
  where quiz.account_id = any ($1::uuid[]) and ${IS_SHOWN}
  order by quiz.account_id, quiz_answer.answered_at, quiz.id`;

const RECENT_LEARNERS = `
  select account_id from learner_question
  group by account_id order by max(last_answered_at) desc, account_id limit ${MAX_LEARNERS}`;

/**
 * The histories of the learners who practised last, with at most `maxAnswers` in all. They are counted as they are
 * read: of a backlog, `learner_question` does not know all yet.
 */
async function readHistories(db: Database, maxAnswers: number): Promise<HistoryAnswer[][]> {
  const { rows: recent } = await db.query<{ account_id: string }>(RECENT_LEARNERS);
  const histories: HistoryAnswer[][] = [];
  // One string for each topic, and not one for each answer.
  const topics = new Map<string, string>();
  let answers = 0;
  for (let from = 0; from < recent.length; from += READ_TOGETHER) {
    const ids = recent.slice(from, from + READ_TOGETHER).map(({ account_id: id }) => id);
    const { rows } = await db.query<
      Omit<HistoryAnswer, 'guess'> & { account_id: string; options: number }
    >(HISTORIES, [ids]);
    const byLearner = Map.groupBy(rows, ({ account_id: id }) => id);
    for (const history of ids.map((id) => byLearner.get(id) ?? [])) {
      answers += history.length;
      if (answers > maxAnswers) return histories;
      histories.push(
        history.map((row) => {
          const { account_id: _, options, ...answer } = row;
          const topic = topics.get(answer.topic) ?? answer.topic;
          topics.set(topic, topic);
          return { ...answer, topic, guess: 1 / options };
        }),
      );
    }
  }
  return histories;
}

/**
 * Estimates again what is common to all learners, and how hard each question is.
 *
 * @param maxAnswers reads no more of them
 * @returns how many answers it follows from; 0 when there are too few, and nothing changed
 */
export async function refit(
  db: Database,
  pause?: () => Promise<void>,
  maxAnswers = MAX_ANSWERS,
): Promise<number> {
  const histories = await readHistories(db, maxAnswers);
  const answers = histories.reduce((sum, history) => sum + history.length, 0);
  if (answers < MIN_ANSWERS) return 0;
  const { population, recall, difficulties } = await fitLearners(histories, pause);
  await withTransaction(db, async (tx) => {
    await tx.query(
      `insert into learning_fit (answers, parameters) values ($1, $2)
       on conflict (id) do update set
         fitted_at = now(), answers = excluded.answers, parameters = excluded.parameters`,
      [answers, JSON.stringify({ population, recall } satisfies FittedParameters)],
    );
    const measured = [...difficulties].toSorted(([a], [b]) => a - b);
    await tx.query(
      `insert into question_difficulty (question_id, difficulty, answers)
       select id, given.difficulty, given.answers
       from unnest($1::bigint[], $2::real[], $3::int[]) as given (question_id, difficulty, answers)
       join question on question.id = given.question_id
       order by id for key share of question
       on conflict (question_id) do update set
         difficulty = excluded.difficulty, answers = excluded.answers`,
      [
        measured.map(([id]) => id),
        measured.map(([, { difficulty }]) => difficulty),
        measured.map(([, fitted]) => fitted.answers),
      ],
    );
  });
  return answers;
}
