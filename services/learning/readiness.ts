import {
  type Ability,
  dot,
  levelOf,
  logistic,
  logit,
  normalized,
  shrinkage,
  SLIP,
  topicLevels,
} from './ability.ts';
import { retrievability } from './memory.ts';

/**
 * How well a learner remembers what our explanation of a question taught: the log odds are
 * `bias + memory * logit(R)`, R by FSRS, plus `lastRight` where the last answer was right, plus
 * `history * log((right + 0.5) / (wrong + 0.5))` of the answers so far, plus `learner` times how much more often
 * than usual this learner is right in repetition. A refit estimates the weights from the answers to repeated
 * questions.
 */
export interface Recall {
  bias: number;
  memory: number;
  lastRight: number;
  history: number;
  learner: number;
  /** The share of right answers to repeated questions, of all learners. */
  usual: number;
}

/** Before the first refit. */
export const DEFAULT_RECALL: Recall = {
  bias: 0,
  memory: 0.8,
  lastRight: 0.5,
  history: 0,
  learner: 0,
  usual: 0.7,
};

/** A question that the learner was shown before. */
export interface SeenQuestion {
  topic: string;
  difficulty: number;
  firstCorrect: boolean;
  /** The probability that a guess was right then: 1 / options. */
  guess: number;
  lastCorrect: boolean;
  timesShown: number;
  timesRight: number;
  /** FSRS: days until R is 0.9. */
  stability: number;
  elapsedDays: number;
}

/** A topic of the exam. */
export interface ExamTopic {
  topic: string;
  /** Its share of the exam's questions; only the ratios matter. */
  weight: number;
  /** Questions of the bank that the learner has not seen. */
  unseen: number;
  /** Mean difficulty of those, and its variance among them. */
  difficulty: number;
  difficultyVariance: number;
}

export interface Exam {
  counted: number;
  passMark: number;
  /** The options of a question; a guess is right once in so many. */
  options: number;
}

/** Odds are kept within these probabilities: R is 1 on the day of an answer. */
const R_BOUNDS = [0.01, 0.99] as const;

/** The features of a repeated question, in the order of the weights of `Recall`. */
export const recallFeatures = (
  question: Pick<
    SeenQuestion,
    'lastCorrect' | 'timesShown' | 'timesRight' | 'stability' | 'elapsedDays'
  >,
  learner: Repeats,
) =>
  [
    1,
    memoryLogit(question),
    Number(question.lastCorrect),
    historyLogit(question),
    repeatsLogit(learner),
  ] as const;

/** A learner's answers to questions that they were shown before. Learners forget at different speeds. */
export interface Repeats {
  shown: number;
  right: number;
  /** As in `Recall`. */
  usual: number;
}

/** So many usual answers weigh as much as the learner's own. */
const USUAL_ANSWERS = 16;

/** Log odds of how much more often than usual a learner is right. */
const repeatsLogit = ({ shown, right, usual }: Repeats) =>
  logit((right + USUAL_ANSWERS * usual) / (shown + USUAL_ANSWERS)) - logit(usual);

/** The variance of the log odds that `repeatsLogit` estimates, as that of so many independent answers. */
const speedVariance = ({ shown, usual }: Repeats) =>
  1 / ((shown + USUAL_ANSWERS) * usual * (1 - usual));

/** Of all questions that a learner was shown. */
export function repeatsOf(
  seen: readonly Pick<SeenQuestion, 'timesShown' | 'timesRight' | 'firstCorrect'>[],
  { usual }: Recall,
): Repeats {
  const repeats = { shown: 0, right: 0, usual };
  for (const { timesShown, timesRight, firstCorrect } of seen) {
    repeats.shown += timesShown - 1;
    repeats.right += timesRight - Number(firstCorrect);
  }
  return repeats;
}

/** The probability that a learner remembers what our explanation taught. */
export function recallProbability(
  features: ReturnType<typeof recallFeatures>,
  { bias, memory, lastRight, history, learner }: Recall,
): number {
  const [one, memoryOdds, last, odds, own] = features;
  return logistic(
    bias * one + memory * memoryOdds + lastRight * last + history * odds + learner * own,
  );
}

/**
 * The probability that a learner knew a question before our explanation, by their ability and by their first
 * answer: a right one was known or guessed.
 */
export function knownBefore(
  abilityLogit: number,
  { firstCorrect, guess }: Pick<SeenQuestion, 'firstCorrect' | 'guess'>,
): number {
  const evidence = firstCorrect ? (1 - SLIP) / guess : SLIP / (1 - guess);
  return logistic(abilityLogit + Math.log(evidence));
}

/**
 * How much a repetition of each question would raise the probability that it is right in the exam, as long as
 * nothing more is forgotten: most for what the learner did not know before, and has forgotten.
 */
export function repeatGains(
  ability: Ability,
  seen: readonly SeenQuestion[],
  recall: Recall,
): number[] {
  const repeats = repeatsOf(seen, recall);
  const after = recalledAfterRight(seen, recall);
  const levels = new Map<string, number>();
  return seen.map((question) => {
    const { topic } = question;
    if (!levels.has(topic)) levels.set(topic, levelOf(ability, topic).level);
    const before = knownBefore(levels.get(topic)! - question.difficulty, question);
    return (1 - before) * (after - recallProbability(recallFeatures(question, repeats), recall));
  });
}

/** The probability that a learner remembers today what was right today. */
export function recalledAfterRight(seen: readonly SeenQuestion[], recall: Recall): number {
  const right = { lastCorrect: true, timesShown: 2, timesRight: 1, stability: 1, elapsedDays: 0 };
  return recallProbability(recallFeatures(right, repeatsOf(seen, recall)), recall);
}

/** Log odds of a right answer by the answers so far. */
const historyLogit = ({
  timesShown,
  timesRight,
}: Pick<SeenQuestion, 'timesShown' | 'timesRight'>) =>
  Math.log((timesRight + 0.5) / (timesShown - timesRight + 0.5));

function memoryLogit({
  stability,
  elapsedDays,
}: Pick<SeenQuestion, 'stability' | 'elapsedDays'>): number {
  const r = retrievability(stability, elapsedDays);
  return logit(Math.min(R_BOUNDS[1], Math.max(R_BOUNDS[0], r)));
}

interface Share {
  /** Expected share of right answers in the exam. */
  mean: number;
  /** Its variance over what is not known of the ability. */
  variance: number;
  /**
   * The variance on top of which questions happen to be known, and of how fast this learner forgets. An exam
   * draws from known and unknown ones alike, so it widens the range, and does not change the probability.
   */
  luck: number;
}

/**
 * How much less certain the speed of forgetting is than if each repetition told of it alone: it is also right
 * because the learner knew it before, or guessed. With 5, the range of simulated learners holds the truth as often
 * as it says (docs/learning.md).
 */
const SPEED_UNCERTAINTY = 5;

/** The expected share of right answers in an exam that draws from these topics. */
export function expectedShare(
  ability: Ability,
  { topics, seen, exam, recall }: ReadinessInput,
): Share {
  const guess = 1 / exam.options;
  const gain = 1 - SLIP - guess;
  const { levels } = ability.grid;
  const byTopic = Map.groupBy(seen, ({ topic }) => topic);
  const totalWeight = topics.reduce((sum, { weight }) => sum + weight, 0);
  const repeats = repeatsOf(seen, recall);
  /** By ability. */
  const means = levels.map(() => guess);
  const variances = levels.map(() => 0);
  let luck = 0;
  /** How much the share changes with the log odds of remembering. */
  let slope = 0;
  for (const { topic, weight, unseen, difficulty, difficultyVariance } of topics) {
    const questions = byTopic.get(topic) ?? [];
    const total = questions.length + unseen;
    if (total === 0) continue;
    const share = (gain * weight) / totalWeight / total;
    /** By the level in the topic: the share, and the variance of which questions are known. */
    const shares = levels.map(() => 0);
    const lucks = levels.map(() => 0);
    const slopes = levels.map(() => 0);
    if (unseen > 0) {
      // The mean over the questions.
      const spread = shrinkage(difficultyVariance);
      for (const [index, level] of levels.entries()) {
        const known = logistic(spread * (level - difficulty));
        shares[index]! += share * unseen * known;
        lucks[index]! += share ** 2 * unseen * known * (1 - known);
      }
    }
    for (const question of questions) {
      const forgotten = 1 - recallProbability(recallFeatures(question, repeats), recall);
      for (const [index, level] of levels.entries()) {
        const before = knownBefore(level - question.difficulty, question);
        shares[index]! += share * (1 - (1 - before) * forgotten);
        lucks[index]! += (share * forgotten) ** 2 * before * (1 - before);
        slopes[index]! += share * (1 - before) * forgotten * (1 - forgotten);
      }
    }
    for (const { index, weight: probability, posterior } of topicLevels(ability, topic)) {
      const mean = dot(posterior, shares);
      means[index]! += mean;
      variances[index]! += posterior.reduce((sum, p, at) => sum + p * (shares[at]! - mean) ** 2, 0);
      luck += probability * dot(posterior, lucks);
      slope += probability * dot(posterior, slopes);
    }
  }
  const mean = dot(ability.weights, means);
  const variance = ability.weights.reduce(
    (sum, p, index) => sum + p * (variances[index]! + (means[index]! - mean) ** 2),
    0,
  );
  const speed = SPEED_UNCERTAINTY * slope ** 2 * speedVariance(repeats);
  return { mean, variance, luck: luck + speed };
}

export interface ReadinessInput {
  topics: readonly ExamTopic[];
  seen: readonly SeenQuestion[];
  exam: Exam;
  recall: Recall;
}

export interface Readiness {
  /** The probability of passing the exam today. */
  probability: number;
  /** The probability is between these with 80 % certainty. */
  low: number;
  high: number;
  /** The expected share of right answers. */
  share: number;
}

/** Places and weights of a normal distribution, enough for two digits. */
const STEPS = Array.from({ length: 41 }, (_, index) => (index - 20) / 5);
const STEP_WEIGHTS = normalized(STEPS.map((step) => Math.exp((-step * step) / 2)));
/** 80 % of a normal distribution lies within so many standard deviations. */
const Z_80 = 1.2816;

/** The probability of passing today, over what is not known about the learner. */
export function readinessOf(ability: Ability, input: ReadinessInput): Readiness {
  const { mean, variance, luck } = expectedShare(ability, input);
  const probability = passProbabilityOf(mean, variance, input.exam);
  const ranged = passBy(mean, variance + luck, input.exam);
  return { probability, low: ranged(-Z_80), high: ranged(Z_80), share: mean };
}

/** The probability of passing with this expected share of right answers, whose variance is what is not known of it. */
export function passProbabilityOf(mean: number, variance: number, exam: Exam): number {
  const passAt = passBy(mean, variance, exam);
  return STEPS.reduce((sum, step, index) => sum + STEP_WEIGHTS[index]! * passAt(step), 0);
}

/** The probability of passing, so many standard deviations from the median of a logit-normal share. */
function passBy(mean: number, variance: number, exam: Exam): (step: number) => number {
  const bounded = Math.min(0.995, Math.max(0.005, mean));
  // Delta method: the deviation of the share's logit.
  const deviation = Math.sqrt(variance) / (bounded * (1 - bounded));
  const center = logit(bounded) / shrinkage(deviation ** 2);
  return (step) => passProbability(logistic(center + step * deviation), exam);
}

/** The probability of at least `passMark` right answers of `counted`: the upper tail of a binomial. */
function passProbability(
  share: number,
  { counted, passMark }: Pick<Exam, 'counted' | 'passMark'>,
): number {
  const wrong = 1 - share;
  if (wrong <= 0) return 1;
  // From all right downwards, each term from the one before.
  let term = share ** counted;
  let sum = 0;
  if (term === 0) return 0;
  for (let right = counted; right >= passMark; right -= 1) {
    sum += term;
    term *= (right / (counted - right + 1)) * (wrong / share);
  }
  return Math.min(1, sum);
}
