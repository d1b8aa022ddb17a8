import { expect, test } from 'vitest';
import { evaluatePlan, evaluatePolicy } from './identity.ts';

test('the doctor warns of a password policy that is stricter than our rules', () => {
  const policy = { minLength: 12, maxLength: 4096, kinds: ['uppercase' as const], symbols: '' };
  expect(evaluatePolicy(policy)).toMatchObject({
    level: 'warning',
    found: expect.stringContaining('at least 12 characters, a character of the kind uppercase'),
  });
});

test('the doctor accepts no policy, and one that is weaker than our rules', () => {
  expect(evaluatePolicy(null)).toMatchObject({ level: 'ok' });
  const weaker = { minLength: 6, maxLength: Infinity, kinds: [], symbols: '' };
  expect(evaluatePolicy(weaker)).toMatchObject({ level: 'ok' });
});

test.each([
  [true, 'ok', 'has billing'],
  [false, 'warning', '150 links'],
  [null, 'warning', 'may not read it'],
] as const)('the doctor tells a project with billing (%s) from others', (isPaid, level, words) => {
  expect(evaluatePlan(isPaid)).toMatchObject({ level, found: expect.stringContaining(words) });
});
