import { expect, test, vi } from 'vitest';
import { describeError, reportBrowserError } from './report-browser-error.ts';

const origin = 'https://example.no';
const ID = '6f0d3f2e-0000-4000-8000-000000000000';
const PAGE = { origin, pathname: `/quiz/${ID}` };
const OURS = `TypeError: x\n    at f (chrome-extension://abc/x.js:1:1)\n    at g (${origin}/assets/quiz-1.js?v=2:2:30)`;

const thrown = (message = 'x is undefined', { name = 'TypeError', stack = OURS } = {}) =>
  Object.assign(new Error(message), { name, stack });

test('an error has its name, message and place, and the page without ids', () => {
  expect(describeError(thrown(), 'error', PAGE)).toEqual({
    kind: 'error',
    name: 'TypeError',
    message: 'x is undefined',
    at: '/assets/quiz-1.js:2:30',
    page: '/quiz/:id',
  });
});

test('the place is found in a stack of Firefox and Safari', () => {
  const stack = `g@${origin}/assets/quiz-1.js:2:30\n@${origin}/:1:1`;
  expect(describeError(thrown('x', { stack }), 'rejection', PAGE)).toMatchObject({
    kind: 'rejection',
    at: '/assets/quiz-1.js:2:30',
  });
});

test('ids and queries are left out of a message', () => {
  const error = thrown(`no quiz ${ID} at /a?token=secret of 4242424242424242`);
  expect(describeError(error, 'error', PAGE)?.message).toBe('no quiz :id at /a of :id');
});

test.each([
  [
    'of a browser extension',
    thrown('x', { stack: 'Error\n    at chrome-extension://abc/x.js:1:1' }),
  ],
  ['of an API that refused', thrown('not found', { name: 'ApiError' })],
  ['that is no error', 'a text'],
])('nothing is reported %s', (_what, error) => {
  expect(describeError(error, 'error', PAGE)).toBeNull();
});

test('the same error is reported once, and five different ones at most', () => {
  const send = vi.fn<(url: string) => boolean>(() => true);
  vi.stubGlobal('window', { location: PAGE });
  vi.stubGlobal('navigator', { sendBeacon: send });
  for (const word of ['a', 'a', 'b', 'c', 'd', 'e', 'f']) {
    reportBrowserError({ error: thrown(word) } as ErrorEvent);
  }
  expect(send.mock.calls.map(([url]) => url)).toEqual(Array(5).fill('/api/v1/browser-errors'));
});
