import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { problemOf } from './problem.ts';

test.each([
  [new ApiError(409, 'payment_cancelled', '', { reason: 'declined' }), 'too_many'],
  [new ApiError(409, 'payment_cancelled', '', { reason: 'learner' }), 'cancelled'],
  [new ApiError(409, 'payment_declined', ''), 'declined'],
  [new ApiError(502, 'payment_provider_failed', ''), 'unsettled'],
  [new ApiError(0, 'network', ''), 'unsettled'],
  [new Error('odd'), 'unsettled'],
])('%o is %s', (error, problem) => {
  expect(problemOf(error)).toBe(problem);
});
