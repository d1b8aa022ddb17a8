import { describe, expect, test } from 'vitest';
import { differences, swap, swapBack } from './compare.ts';

const UUIDS = [
  '3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8',
  'b7d20e64-1a9f-4c35-8e70-93f6c2d5a418',
] as const;

describe('a real answer', () => {
  test.each<[string, unknown, unknown]>([
    ['the same', { score: 1, passed: null }, { score: 1, passed: null }],
    ['another uuid', { id: UUIDS[0] }, { id: UUIDS[1] }],
    ['another number for an id', { id: 101 }, { id: 7 }],
    ['another time', { at: '2026-01-15T08:30:00.000Z' }, { at: '2026-11-21T00:00:00.123Z' }],
    ['another day of the call', { last_seen_on: '2026-01-15' }, { last_seen_on: '2026-11-27' }],
    ['another secret', { s: 'pi_1_secret_x' }, { s: 'pi_2_secret_y' }],
    [
      'questions drawn in another order',
      UUIDS.map((uuid) => ({ uuid })),
      UUIDS.toReversed().map((uuid) => ({ uuid })),
    ],
  ])('matches a documented one with %s', (_name, documented, real) => {
    expect(differences(documented, real)).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    ['one field more', { a: 1 }, { a: 1, b: 2 }],
    ['one field less', { a: 1, b: 2 }, { a: 1 }],
    ['another value', { a: { b: 'x' } }, { a: { b: 'y' } }],
    ['another day', { checked_at: '2026-01-15' }, { checked_at: '2026-01-16' }],
    ['another type', { score: 1 }, { score: '1' }],
    ['null in place of a value', { score: 1 }, { score: null }],
    ['a number in place of a uuid', { id: UUIDS[0] }, { id: '7' }],
    ['a text in place of a numeric id', { id: 101 }, { id: '101' }],
    ['an id in place of a secret', { s: 'pi_1_secret_x' }, { s: 'pi_2' }],
    ['one item more', { list: [1] }, { list: [1, 2] }],
    ['options in another order', { options: ['a', 'b'] }, { options: ['b', 'a'] }],
    ['an object in place of a list', [], {}],
  ])('does not match a documented one with %s', (_name, documented, real) => {
    expect(differences(documented, real)).not.toEqual([]);
  });
});

test('swaps documented values for real ones in keys, texts and lists, and back', () => {
  const real = { pi_1: 'pi_A', pi_1_secret_x: 'pi_A_secret_B', 'demo@example.no': 'x@example.no' };
  const documented = { pi_1: ['pi_1_secret_x', 'til demo@example.no', 3, null] };
  const swapped = swap(documented, real);
  expect(swapped).toEqual({ pi_A: ['pi_A_secret_B', 'til x@example.no', 3, null] });
  expect(swapBack(swapped, real)).toEqual(documented);
});
