import { describe, expect, test, vi } from 'vitest';
import { waitForCredentials } from '#identity/credentials.ts';
import { CredentialsRejectedError, isRejection } from '#identity/identity-provider.ts';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  test('ends when nothing is missing, and reports each change once', async () => {
    const checks = [
      () => Promise.reject(new AggregateError([new Error('connect ECONNREFUSED')])),
      () => Promise.reject(new AggregateError([new Error('connect ECONNREFUSED')])),
      async () => ['the database lacks 2_b'],
      async () => [],
    ];
    const onMissing = vi.fn<(missing: readonly string[]) => void>();
    await waitFor(() => checks.shift()!(), { onMissing });
    expect(onMissing.mock.calls).toEqual([
      [['connect ECONNREFUSED']],
      [['the database lacks 2_b']],
    ]);
    expect(checks).toEqual([]);
  });

  test('rejects after its timeout and when its signal is aborted', async () => {
    const check = async () => ['the key'];
    const onMissing = () => {};
    await expect(waitFor(check, { onMissing, timeoutMs: 50 })).rejects.toThrow('the key');
    const stopping = new AbortController();
    const waiting = waitFor(check, { onMissing, signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('the check of credentials', () => {
  test('is retried after a network error and ends when they are rejected', async () => {
    const answers = [
      new Error('getaddrinfo ENOTFOUND'),
      new CredentialsRejectedError('set the key file'),
    ];
    const check = () => Promise.reject(answers.shift());
    const onMissing = vi.fn<(missing: readonly string[]) => void>();
    const waiting = waitForCredentials({ check }, { onMissing });
    await expect(waiting).rejects.toThrow('set the key file');
    expect(onMissing.mock.calls).toEqual([[['getaddrinfo ENOTFOUND']]]);
  });

  // The errors that google-auth-library 10 throws.
  test.each([
    ['a missing key file', new Error('Could not load the default credentials.'), true],
    ['an invalid key file', new SyntaxError('Unexpected end of JSON input'), true],
    ['a revoked key', failure({ status: 400, config: {} }), true],
    ['a server error', failure({ status: 503, config: {} }), false],
    ['an unreachable server', failure({ code: 'ENOTFOUND', config: {} }), false],
  ])('classifies %s', (_what, error, isRejected) => {
    expect(isRejection(error)).toBe(isRejected);
  });
});

function failure(fields: object): Error {
  return Object.assign(new Error('request to https://oauth2.googleapis.com/token failed'), fields);
}
