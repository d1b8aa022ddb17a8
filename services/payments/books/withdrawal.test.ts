import { expect, test } from 'vitest';
import { withdrawalDeadline } from './withdrawal.ts';

// When a purchase was made (UTC), and the end of the last day of withdrawal, in Norway.
test.each([
  ['an ordinary day', '2026-11-05T12:00:00Z', '2026-11-19T22:59:59.999Z'],
  ['the first moment of a day in Norway', '2026-11-04T23:00:00Z', '2026-11-19T22:59:59.999Z'],
  ['the last moment of the day before', '2026-11-04T22:59:59.999Z', '2026-11-18T22:59:59.999Z'],
  ['a Saturday as the last day', '2026-11-07T12:00:00Z', '2026-11-23T22:59:59.999Z'],
  ['a Sunday as the last day', '2026-11-08T12:00:00Z', '2026-11-23T22:59:59.999Z'],
  ['over the change to summer time', '2026-03-16T12:00:00Z', '2026-03-30T21:59:59.999Z'],
  ['over the change to winter time', '2026-10-12T12:00:00Z', '2026-10-26T22:59:59.999Z'],
  [
    'Sunday of the change itself as the last day',
    '2026-10-11T12:00:00Z',
    '2026-10-26T22:59:59.999Z',
  ],
  ['Maundy Thursday to Easter Monday', '2026-03-19T12:00:00Z', '2026-04-07T21:59:59.999Z'],
  ['Ascension Day', '2026-04-30T12:00:00Z', '2026-05-15T21:59:59.999Z'],
  ['Whit Monday', '2026-05-11T12:00:00Z', '2026-05-26T21:59:59.999Z'],
  ['Christmas', '2026-12-11T12:00:00Z', '2026-12-28T22:59:59.999Z'],
  ['New Year', '2026-12-18T12:00:00Z', '2027-01-04T22:59:59.999Z'],
  [
    'Easter of a year that the rule makes exceptions for',
    '2049-04-01T12:00:00Z',
    '2049-04-20T21:59:59.999Z',
  ],
])('withdrawal deadline: %s', (_what, purchased, last) => {
  expect(withdrawalDeadline(new Date(purchased)).toISOString()).toBe(last);
});
