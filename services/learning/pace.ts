import { type Ability, levelOf, logistic, SLIP } from './ability.ts';
import { nextMemory } from './memory.ts';
import {
  expectedShare,
  knownBefore,
  passProbabilityOf,
  type ReadinessInput,
  recallFeatures,
  recallProbability,
  repeatsOf,
} from './readiness.ts';

/** The probability of passing that a plan aims at. */
const GOAL = 0.8;

/** A day's amount is a multiple of it, and not less. */
const STEP = 5;
/** The largest daily goal of a plan. */
const MAX_A_DAY = 100;

/** Answers to a question that was not known, until it is right, after the first. */
const REPEATS = 1.3;

/** What a learner remembers of a question that was wrong, and right on the day after. */
const RELEARNT = nextMemory(nextMemory(null, { day: 0, correct: false, shownMs: null }), {
  day: 1,
  correct: true,
  shownMs: null,
});

/** So many questions that raise the share of right answers in the exam by as much each, for as many answers each. */
interface Work {
  questions: number;
  gain: number;
  answers: number;
}

/**
 * The questions a day, from today to the day before the exam, after which a learner is expected to pass with 80 %:
 * the work that brings the most for an answer comes first. What it does not repeat is forgotten until then.
 *
 * @param days until the exam, at least 1
 * @returns a multiple of five; null when a hundred a day are too few
 */
export function paceOf(ability: Ability, input: ReadinessInput, days: number): number | null {
  const { exam } = input;
  const seen = input.seen.map((question) => ({
    ...question,
    elapsedDays: question.elapsedDays + days,
  }));
  const { mean, variance } = expectedShare(ability, { ...input, seen });
  const work = workOf(ability, input, days).toSorted(
    (a, b) => b.gain / b.answers - a.gain / a.answers,
  );
  let share = mean;
  let answers = 0;
  for (const { questions, gain, answers: each } of work) {
    for (let question = 0; question < questions; question += 1) {
      if (passProbabilityOf(share, variance, exam) >= GOAL) return inDays(answers, days);
      share += gain;
      answers += each;
    }
  }
  return passProbabilityOf(share, variance, exam) >= GOAL ? inDays(answers, days) : null;
}

function inDays(answers: number, days: number): number | null {
  const perDay = Math.max(STEP, STEP * Math.ceil(answers / days / STEP));
  return perDay <= MAX_A_DAY ? perDay : null;
}

function workOf(ability: Ability, { topics, seen, exam, recall }: ReadinessInput, days: number) {
  const repeats = repeatsOf(seen, recall);
  const remembered = (
    question: Pick<
      ReadinessInput['seen'][number],
      'lastCorrect' | 'timesShown' | 'timesRight' | 'stability' | 'elapsedDays'
    >,
  ) => recallProbability(recallFeatures(question, repeats), recall);
  // On average it is learnt in the middle, and repeated when it is due.
  const interval = RELEARNT.dueDay - RELEARNT.day;
  const relearnt = remembered({
    lastCorrect: true,
    timesShown: 2,
    timesRight: 1,
    stability: RELEARNT.stability,
    elapsedDays: Math.min(days / 2, interval),
  });
  const byTopic = Map.groupBy(seen, ({ topic }) => topic);
  const weights = topics.reduce((sum, { weight }) => sum + weight, 0);
  return topics.flatMap(({ topic, weight, unseen, difficulty }): Work[] => {
    const questions = byTopic.get(topic) ?? [];
    const total = questions.length + unseen;
    if (total === 0) return [];
    const part = ((1 - SLIP - 1 / exam.options) * weight) / weights / total;
    const { level } = levelOf(ability, topic);
    const unknown = 1 - logistic(level - difficulty);
    return [
      {
        questions: unseen,
        gain: part * unknown * relearnt,
        answers: 1 + unknown * (REPEATS + days / 2 / interval),
      },
      ...questions.map((question) => {
        const forgotten = 1 - knownBefore(level - question.difficulty, question);
        const kept = remembered({
          ...question,
          elapsedDays: question.elapsedDays + days,
        });
        return { questions: 1, gain: part * forgotten * Math.max(0, relearnt - kept), answers: 1 };
      }),
    ];
  });
}
