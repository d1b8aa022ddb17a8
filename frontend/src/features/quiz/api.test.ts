import type { AnswerRequest } from '@proveklar/contract/quiz.ts';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { sendAnswer } from './api.ts';

test('an answer that is refused with the time is sent again without it', async () => {
  const given = { question_id: 'a', answer: 'x', shown_ms: 900 };
  const refused = new ApiError(400, 'validation_failed', 'unknown field');
  const sent: AnswerRequest[] = [];
  const refusing = (request: AnswerRequest) => {
    sent.push(request);
    return 'shown_ms' in request
      ? Promise.reject(refused)
      : Promise.resolve({ score: 1, correct: true });
  };
  expect(await sendAnswer(given, refusing)).toMatchObject({ correct: true });
  expect(sent).toEqual([given, { question_id: 'a', answer: 'x' }]);
  const always = () => Promise.reject(refused);
  await expect(sendAnswer({ question_id: 'a', answer: 'x' }, always)).rejects.toBe(refused);
  const offline = new ApiError(0, 'network', 'No contact');
  await expect(sendAnswer(given, () => Promise.reject(offline))).rejects.toBe(offline);
});
