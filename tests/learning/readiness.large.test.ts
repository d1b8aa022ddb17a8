import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { readLearning } from '@proveklar/services/learning/read-learning.ts';
import { rebuildAccount } from '@proveklar/services/learning/record-answers.ts';
import { refit } from '@proveklar/services/learning/refit.ts';
import { recordFigures } from '../support/figures.ts';
import { testSeed } from '../support/settings.ts';
import { calibrationOf, type Look } from './calibration.ts';
import {
  EXAM,
  forEachConcurrently,
  type Participant,
  setsOf,
  timeOfSet,
  withSimulation,
} from './simulation.ts';

/**
 * Simulated learners of known ability and forgetting practise through the real services. On some days each of
 * them sits simulated exams, so that the true probability of passing is known and readiness can be compared
 * with it. `npm run test:learning` runs 2,000 learners over 30 days.
 */
const LEARNERS = Number(process.env.LEARNERS ?? 40);
const DAYS = Number(process.env.DAYS ?? 10);
const SEED = testSeed('these learners');
const EXAMS = 200;
/** Looks at readiness, as parts of all days. */
const LOOKS = new Set([0.1, 0.2, 0.33, 0.5, 0.66, 1].map((part) => Math.ceil(part * DAYS) - 1));
/** The rest of what they practise are drills of all topics. */
const TODAYS_SHARE = 0.7;
/** A small sample is a rough measure. */
const IS_FULL = LEARNERS >= 500;
const MAX_ERROR = IS_FULL ? 0.05 : 0.12;
/** A tenth with fewer learners says little. */
const MIN_LEARNERS = 100;
const TIMEOUT_MS = 5 * 3_600_000;

const simulation = withSimulation(SEED);
const looks: Look[] = [];

async function practise(participant: Participant): Promise<void> {
  for (let set = 0; set < setsOf(participant); set += 1) {
    const topic = participant.random.chance(TODAYS_SHARE) ? 'today' : 'all';
    await simulation.practise(participant, topic, set);
  }
}

/** The share of simulated exams that the learner passes after the practice of today. */
function truthOf(participant: Participant): number {
  const { random } = participant;
  const rights = simulation.rights(participant, timeOfSet(simulation.today, 20));
  let passed = 0;
  for (let exam = 0; exam < EXAMS; exam += 1) {
    const drawn = new Set<number>();
    while (drawn.size < EXAM.counted) drawn.add(random.below(rights.length));
    const right = [...drawn].filter((index) => random.chance(rights[index]!)).length;
    if (right >= EXAM.passMark) passed += 1;
  }
  return passed / EXAMS;
}

async function look(participant: Participant, learner: number): Promise<void> {
  const { readiness } = await readLearning(simulation.db, participant.id, 'no');
  if (readiness === null) return;
  const { probability, low, high } = readiness;
  looks.push({
    learner,
    day: simulation.today + 1,
    said: probability,
    low,
    high,
    truth: truthOf(participant),
  });
}

describe(`${LEARNERS} simulated learners over ${DAYS} days (TEST_SEED=${SEED})`, () => {
  const participants: Participant[] = [];

  beforeAll(async () => {
    for (let index = 0; index < LEARNERS; index += 1) {
      participants.push(await simulation.addLearner(`learner ${index}`, DAYS));
    }
    for (let day = 0; day < DAYS; day += 1) {
      const started = performance.now();
      const present = participants.filter(({ learner, random }) =>
        random.chance(learner.diligence),
      );
      await forEachConcurrently(present, practise);
      const practised = performance.now();
      const answers = await refit(simulation.db);
      const fitted = performance.now();
      if (LOOKS.has(day)) {
        await forEachConcurrently(participants, (participant) =>
          look(participant, participants.indexOf(participant)),
        );
      }
      const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
      console.log(
        `day ${day + 1}: practice ${seconds(started, practised)} s, refit of ${answers} answers ${seconds(practised, fitted)} s, looks ${seconds(fitted, performance.now())} s`,
      );
      await simulation.oneDayLater();
    }
  }, TIMEOUT_MS);

  test('readiness is what the simulated exams say, in every tenth of it', async () => {
    const { error, bias, covered, tenths } = calibrationOf(looks);
    console.table(tenths);
    recordFigures({
      looks: looks.length,
      'expected calibration error': error.toFixed(4),
      'truth within the range': covered.toFixed(3),
    });
    console.log(
      `expected calibration error: ${error.toFixed(4)} over ${looks.length} looks; truth within the range: ${covered.toFixed(3)}`,
    );
    await mkdir('.local/learning', { recursive: true });
    await writeFile(
      `.local/learning/readiness-${SEED}.json`,
      JSON.stringify({ seed: SEED, learners: LEARNERS, days: DAYS, looks }),
    );
    expect(looks.length).toBeGreaterThan(LEARNERS);
    expect(error).toBeLessThanOrEqual(MAX_ERROR);
    expect(Math.abs(bias)).toBeLessThanOrEqual(MAX_ERROR / 1.5);
    if (IS_FULL) {
      const off = tenths.filter(
        ({ learners, error: by }) => learners >= MIN_LEARNERS && Math.abs(by) > MAX_ERROR,
      );
      expect(off).toEqual([]);
    }
  });

  test(
    'what every learner remembers is what a rebuild computes from the answers',
    async () => {
      let changed = 0;
      await forEachConcurrently(participants, async ({ id }) => {
        changed += await rebuildAccount(simulation.db, id);
      });
      expect(changed).toBe(0);
    },
    TIMEOUT_MS,
  );
});
