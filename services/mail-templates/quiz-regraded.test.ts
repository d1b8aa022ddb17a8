import { describe, expect, test } from 'vitest';
import { quizRegraded } from './quiz-regraded.ts';

const addresses = { publicUrl: 'https://proveklar.example.no', supportEmail: 'kontakt@example.no' };
const result = {
  topic: 'Praktisk prøve',
  ended_at: new Date('2026-11-20T12:05:00Z'),
  score_before: 25,
  score_after: 26,
  total: 34,
  pass_mark: 26,
};
const facts = { name: 'Demo', results: [result] };

describe('the mail about a corrected answer key', () => {
  test('states the old and the new result in Norwegian', () => {
    const { subject, text, html } = quizRegraded('no', facts, addresses);
    expect(subject).toBe('Resultatet ditt er rettet');
    expect(text).toContain('Hei, Demo!');
    expect(text).toContain(
      'Praktisk prøve, 20. november 2026: 26 av 34 riktige (før 25). Bestått.',
    );
    expect(text).toContain('https://proveklar.example.no/quiz');
    expect(html).toContain('26 av 34 riktige (før 25). Bestått.');
  });

  test('says the same in English', () => {
    const { subject, text } = quizRegraded(
      'en',
      { name: null, results: [{ ...result, score_after: 24 }] },
      addresses,
    );
    expect(subject).toBe('Your result has been corrected');
    expect(text).toContain('Hello,');
    expect(text).toContain(
      'Practice test, 20 November 2026: 24 of 34 right (25 before). Not passed.',
    );
  });

  test('does not mention passing for a drill, and names a drill over all topics', () => {
    const drill = { ...result, topic: 'all', pass_mark: null };
    const { text } = quizRegraded('no', { name: null, results: [drill] }, addresses);
    expect(text).toContain('Generell quiz, 20. november 2026: 26 av 34 riktige (før 25).\n');
  });

  test('lists ten results, and counts the others', () => {
    const results = Array.from({ length: 12 }, () => result);
    const { text } = quizRegraded('no', { name: null, results }, addresses);
    expect(text.match(/26 av 34/g)).toHaveLength(10);
    expect(text).toContain('I tillegg er 2 andre resultater rettet.');
  });
});
