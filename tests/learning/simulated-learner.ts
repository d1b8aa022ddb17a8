import type { Random } from '../support/random.ts';

/**
 * A learner whose knowledge and forgetting are known: a question is known from before with a probability by
 * a two-level logistic model, and what our explanation taught is forgotten by ACT-R's declarative memory
 * with the spacing effect (Pavlik & Anderson 2005: activation ln(sum t^-d), each trace with its own decay
 * d = c * e^m + a). Nothing of it is FSRS.
 */
export interface SimulatedQuestion {
  id: number;
  topic: string;
  difficulty: number;
}

const ACT_R = { c: 0.217, threshold: -0.704, noise: 0.255 } as const;
/** A day weighs like so many hours of study time: memory is spared between sessions. */
const DAY_H = 24 * 0.35;

/** A normally distributed number (Box & Muller 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

interface Trace {
  day: number;
  decay: number;
}

export class SimulatedLearner {
  readonly #random: Random;
  readonly ability: number;
  readonly #offsets = new Map<string, number>();
  readonly #decay: number;
  readonly #known = new Map<number, boolean>();
  readonly #traces = new Map<number, Trace[]>();
  /** How many questions they answer on a day when they practise. */
  readonly effort: number;
  /** The probability that they practise on a day. */
  readonly diligence: number;

  constructor(random: Random) {
    this.#random = random;
    this.ability = 0.4 + normal(random);
    this.#decay = Math.max(0.05, 0.177 + 0.06 * normal(random));
    this.effort = 10 * (1 + random.below(3));
    this.diligence = 0.4 + 0.6 * random.next();
  }

  /** The probability that they know the question at this time, in days. */
  knows(question: SimulatedQuestion, day: number): number {
    if (this.#knewBefore(question)) return 0.97;
    return this.#recall(question.id, day);
  }

  /** Whether they answer right, with so many options shown. */
  answersRight(question: SimulatedQuestion, day: number, options: number): boolean {
    return this.#random.chance(rightWith(this.knows(question, day), options));
  }

  /** They were shown the right answer and why. */
  study(question: SimulatedQuestion, day: number): void {
    const traces = this.#traces.get(question.id) ?? [];
    const activation = this.#activation(question.id, day);
    const decay = ACT_R.c * Math.exp(activation) + this.#decay;
    traces.push({ day, decay });
    this.#traces.set(question.id, traces);
  }

  #knewBefore({ id, topic, difficulty }: SimulatedQuestion): boolean {
    let known = this.#known.get(id);
    if (known === undefined) {
      let offset = this.#offsets.get(topic);
      if (offset === undefined) {
        offset = 0.5 * normal(this.#random);
        this.#offsets.set(topic, offset);
      }
      known = this.#random.chance(1 / (1 + Math.exp(difficulty - this.ability - offset)));
      this.#known.set(id, known);
    }
    return known;
  }

  #activation(id: number, day: number): number {
    const traces = this.#traces.get(id) ?? [];
    const sum = traces.reduce(
      (total, trace) => total + (1 + (day - trace.day) * DAY_H) ** -trace.decay,
      0,
    );
    return Math.log(sum);
  }

  #recall(id: number, day: number): number {
    if (!this.#traces.has(id)) return 0;
    const activation = this.#activation(id, day);
    return 1 / (1 + Math.exp((ACT_R.threshold - activation) / ACT_R.noise));
  }
}

/** The probability of a right answer: known, or guessed. */
export const rightWith = (known: number, options: number): number => known + (1 - known) / options;

/** A bank of questions with difficulties. */
export function simulatedBank(random: Random, topics: number, perTopic: number) {
  return Array.from({ length: topics * perTopic }, (_, index) => ({
    id: index + 1,
    topic: `Topic ${index % topics}`,
    difficulty: 0.8 * normal(random),
  }));
}
