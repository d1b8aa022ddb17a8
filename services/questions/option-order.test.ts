import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { optionsOf, PRACTICE_TEST_DISTRACTORS } from './option-order.ts';

const question = (number: number) => {
  const texts = Array.from({ length: 4 }, () => `${Math.random()} ${number}`);
  return { uuid: randomUUID() as string, answer: texts[0]!, incorrect: texts.slice(1) };
};

/**
 * The best guess of a learner who sees three of four options. If a practice test left out the distractor
 * that comes last in the shuffled order of all four, the key would have some ranks more often than others.
 * This returns the likeliest rank over all places of the hidden option (docs/decisions/0004).
 */
function likeliestRank(uuid: string): number {
  const order = optionsOf({ uuid, answer: '0', incorrect: ['1', '2', '3'] });
  const fits = [0, 1, 2].map((rank) =>
    [0, 1, 2, 3].filter((hidden) => {
      const key = rank < hidden ? rank : rank + 1;
      return order.filter((option) => option !== String(key))[2] === String(hidden);
    }),
  );
  return fits.reduce((best, hidden, rank) => (hidden.length > fits[best]!.length ? rank : best), 0);
}

describe('the order of the options', () => {
  test('does not depend on the order in the bank', () => {
    const uuid = '0badcafe-0000-4000-8000-000000000000';
    const first = optionsOf({ uuid, answer: 'Bergen', incorrect: ['Oslo', 'Tromsø', 'Ålesund'] });
    const second = optionsOf({ uuid, answer: 'Ålesund', incorrect: ['Tromsø', 'Bergen', 'Oslo'] });
    expect(first).toEqual(second);
    expect(first).toEqual(['Bergen', 'Ålesund', 'Tromsø', 'Oslo']);
  });

  test('has the key and two distractors in a practice test', () => {
    const shown = optionsOf(
      { uuid: randomUUID(), answer: 'key', incorrect: ['a', 'b', 'c'] },
      PRACTICE_TEST_DISTRACTORS,
    );
    expect(shown.toSorted()).toEqual(['a', 'b', 'key']);
  });

  // An attacker who has this code, the uuid and the options can undo the shuffle, and guess the key by the
  // place of an option in the sorted list. No guess may be better than chance.
  test.each([
    { shown: 4, distractors: 3 },
    { shown: 3, distractors: PRACTICE_TEST_DISTRACTORS },
  ])('reveals nothing about the key with $shown options', ({ shown, distractors }) => {
    const trials = 10_000;
    const hits = new Map<string, number>();
    for (let index = 0; index < trials; index += 1) {
      const { uuid, answer, incorrect } = question(index);
      const options = optionsOf({ uuid, answer, incorrect }, distractors);
      const sorted = options.toSorted();
      const seedPart = Number.parseInt(uuid.slice(0, 8), 16) % shown;
      for (let guess = 0; guess < shown; guess += 1) {
        const strategies = {
          [`place ${guess}`]: options[guess],
          [`rank ${guess}`]: sorted[guess],
          [`seeded ${guess}`]: options[(seedPart + guess) % shown],
          [`likeliest ${guess}`]: sorted[(likeliestRank(uuid) + guess) % shown],
        };
        for (const [name, option] of Object.entries(strategies)) {
          if (option === answer) hits.set(name, (hits.get(name) ?? 0) + 1);
        }
      }
    }
    // Five standard deviations of a fair guess: a strategy that works is far outside.
    const chance = 1 / shown;
    const margin = 5 * Math.sqrt((chance * (1 - chance)) / trials);
    for (const [name, count] of hits) {
      expect.soft(count / trials, name).toBeLessThan(chance + margin);
    }
  });
});
