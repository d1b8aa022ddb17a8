/**
 * How much a learner knows, from first answers: a Rasch model with guessing
 * (P = g + (1 - g) / (1 + exp(-(ability + topic offset - difficulty))), Rasch 1960; the lower asymptote as in
 * Birnbaum's three-parameter model, Lord & Novick 1968). Ability and difficulty are logits.
 */

/** What is common to all learners; a refit estimates it (`refit.ts`). */
export interface Population {
  /** Mean and variance of the abilities, on the scale where the average difficulty is 0. */
  abilityMean: number;
  abilityVariance: number;
  /** Variance of the offset of a topic from a learner's ability. */
  topicVariance: number;
  /** Variance of the difficulties of questions. */
  difficultyVariance: number;
}

/** Before the first refit: learners prepare, so they know more than half. */
export const DEFAULT_POPULATION: Population = {
  abilityMean: 0.5,
  abilityVariance: 1,
  topicVariance: 0.3,
  difficultyVariance: 0.7,
};

/** A learner's first answer to a question. */
export interface FirstAnswer {
  topic: string;
  correct: boolean;
  /** Of the question, in logits; 0 when it is not measured. */
  difficulty: number;
  /** The probability that a learner who does not know it is right: 1 / options. */
  guess: number;
}

/** What a learner's answers say about their ability and their level in each topic. */
export interface Ability {
  grid: Grid;
  /** The posterior of the ability, at each of the grid's levels. */
  weights: readonly number[];
  /** By topic: how probable its answers are at each level. None for a topic without answers. */
  likelihoods: ReadonlyMap<string, readonly number[]>;
}

/** Levels, and how a topic's level varies around an ability. */
interface Grid {
  levels: readonly number[];
  squares: readonly number[];
  /** The prior of the ability. */
  prior: readonly number[];
  /** By ability: the prior of a topic's level. */
  spread: readonly (readonly number[])[];
  /** By guess and difficulty; the answers of many learners share them. */
  curves: Map<number, Map<number, Curve>>;
}

/** The logarithms of the probabilities of a right and of a wrong answer, at each level. */
interface Curve {
  right: readonly number[];
  wrong: readonly number[];
}

/** Fewer points would be coarser than what hundreds of answers say of a level. */
const POINTS = 41;
/** The grid reaches so many standard deviations to both sides. */
const REACH = 4.5;

const grids = new WeakMap<Population, Grid>();

function gridOf(population: Population): Grid {
  let grid = grids.get(population);
  if (!grid) grids.set(population, (grid = makeGrid(population)));
  return grid;
}

function makeGrid({ abilityMean, abilityVariance, topicVariance }: Population): Grid {
  const reach = REACH * Math.sqrt(abilityVariance + topicVariance);
  const levels = Array.from(
    { length: POINTS },
    (_, index) => abilityMean + reach * ((2 * index) / (POINTS - 1) - 1),
  );
  const around = (mean: number, variance: number) =>
    normalized(levels.map((level) => Math.exp(-((level - mean) ** 2) / (2 * variance))));
  return {
    levels,
    squares: levels.map((level) => level ** 2),
    prior: around(abilityMean, abilityVariance),
    spread: levels.map((level) => around(level, topicVariance)),
    curves: new Map(),
  };
}

/** The weights as shares of their sum. */
export function normalized(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * The posterior of the ability, on a grid. Given the ability the topics are independent, so that each topic's
 * level is summed out separately.
 */
export function estimateAbility(answers: readonly FirstAnswer[], population: Population): Ability {
  const grid = gridOf(population);
  const likelihoods = new Map(
    [...Map.groupBy(answers, ({ topic }) => topic)].map(([topic, group]) => [
      topic,
      likelihoodOf(group, grid),
    ]),
  );
  const logs = grid.prior.map((prior) => Math.log(prior));
  for (const likelihood of likelihoods.values()) {
    for (let index = 0; index < POINTS; index += 1) {
      logs[index]! += Math.log(dot(grid.spread[index]!, likelihood));
    }
  }
  const highest = Math.max(...logs);
  return {
    grid,
    weights: normalized(logs.map((log) => Math.exp(log - highest))),
    likelihoods,
  };
}

/** Up to a factor, so that thousands of answers do not end at 0. */
function likelihoodOf(answers: readonly FirstAnswer[], grid: Grid): number[] {
  const logs = grid.levels.map(() => 0);
  for (const answer of answers) {
    const curve = curveOf(grid, answer);
    const line = answer.correct ? curve.right : curve.wrong;
    for (let index = 0; index < POINTS; index += 1) logs[index]! += line[index]!;
  }
  const highest = Math.max(...logs);
  return logs.map((log) => Math.exp(log - highest));
}

function curveOf({ levels, curves }: Grid, { difficulty, guess }: FirstAnswer): Curve {
  let byDifficulty = curves.get(guess);
  if (!byDifficulty) curves.set(guess, (byDifficulty = new Map<number, Curve>()));
  let curve = byDifficulty.get(difficulty);
  if (!curve) {
    const right = levels.map((level) => rightProbability(logistic(level - difficulty), guess));
    curve = { right: right.map((p) => Math.log(p)), wrong: right.map((p) => Math.log(1 - p)) };
    byDifficulty.set(difficulty, curve);
  }
  return curve;
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

/** Levels of ability that are less probable do not change any figure. */
const NEGLIGIBLE = 1e-6;

/** The probable abilities, each with its probability and the posterior of the level in a topic. */
export function* topicLevels({ grid, weights, likelihoods }: Ability, topic: string) {
  const likelihood = likelihoods.get(topic);
  for (const [index, weight] of weights.entries()) {
    if (weight < NEGLIGIBLE) continue;
    const prior = grid.spread[index]!;
    if (!likelihood) {
      yield { index, weight, posterior: prior };
      continue;
    }
    const total = dot(prior, likelihood);
    yield { index, weight, posterior: prior.map((p, at) => (p * likelihood[at]!) / total) };
  }
}

/** A learner's mean level in a topic, its variance, and the mean square of its offset from the ability. */
export function levelOf(ability: Ability, topic: string) {
  const { levels, squares } = ability.grid;
  let level = 0;
  let square = 0;
  let offsetSquare = 0;
  for (const { index, weight, posterior } of topicLevels(ability, topic)) {
    const mean = dot(posterior, levels);
    const meanSquare = dot(posterior, squares);
    level += weight * mean;
    square += weight * meanSquare;
    offsetSquare += weight * (meanSquare - 2 * mean * levels[index]! + squares[index]!);
  }
  return { level, variance: square - level ** 2, offsetSquare };
}

/** The mean and the variance of the ability. */
export function abilityOf({ grid, weights }: Ability) {
  const mean = dot(grid.levels, weights);
  return { mean, variance: dot(grid.squares, weights) - mean ** 2 };
}

/** How often a learner who knows the answer is wrong: the upper asymptote of Barton & Lord 1981. */
export const SLIP = 0.02;

/** The probability of a right answer of a learner who knows it with the probability `known`. */
export const rightProbability = (known: number, guess: number): number =>
  guess + (1 - SLIP - guess) * known;

/**
 * The factor by which logits shrink when they are averaged over a normal distribution of this variance
 * (MacKay 1992, probit approximation).
 */
export const shrinkage = (variance: number): number => 1 / Math.sqrt(1 + (Math.PI * variance) / 8);

export const logistic = (z: number): number => 1 / (1 + Math.exp(-z));
export const logit = (p: number): number => Math.log(p / (1 - p));

/** The inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination. */
export function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const work = matrix.map((row, index) => [
    ...row,
    ...Array.from({ length: size }, (_, column) => Number(column === index)),
  ]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const pivotRow = work[pivot]!;
    const divisor = pivotRow[pivot]!;
    for (let column = 0; column < 2 * size; column += 1) pivotRow[column]! /= divisor;
    for (let row = 0; row < size; row += 1) {
      const factor = work[row]![pivot]!;
      if (row === pivot || factor === 0) continue;
      const target = work[row]!;
      for (let column = 0; column < 2 * size; column += 1) {
        target[column]! -= factor * pivotRow[column]!;
      }
    }
  }
  return work.map((row) => row.slice(size));
}
