import { describe, expect, test, vi } from 'vitest';
import { awaitCredentials } from '#identity/credentials.ts';
import { CredentialsRefused, isRefusal } from '#identity/identity-provider.ts';
import { waitFor } from './wait-for.ts';

describe('waiting', () => {
  test('ends when nothing is missing, and says what is once for each change', async () => {
    const looks = [
      () => Promise.reject(new AggregateError([new Error('connect ECONNREFUSED')])),
      () => Promise.reject(new AggregateError([new Error('connect ECONNREFUSED')])),
      async () => ['the database lacks 2_b'],
      async () => [],
    ];
    const say = vi.fn<(missing: readonly string[]) => void>();
    await waitFor(() => looks.shift()!(), { say });
    expect(say.mock.calls).toEqual([[['connect ECONNREFUSED']], [['the database lacks 2_b']]]);
    expect(looks).toEqual([]);
  });

  test('is given up when patience is over, and by who ends it', async () => {
    const look = async () => ['the key'];
    const say = () => {};
    await expect(waitFor(look, { say, patienceMs: 50 })).rejects.toThrow('the key');
    const stopping = new AbortController();
    const waiting = waitFor(look, { say, signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('credentials', () => {
  test('that nobody could judge are asked about again; refused ones end the asking', async () => {
    const answers = [
      new Error('getaddrinfo ENOTFOUND'),
      new CredentialsRefused('set the key file'),
    ];
    const check = () => Promise.reject(answers.shift());
    const say = vi.fn<(missing: readonly string[]) => void>();
    await expect(awaitCredentials({ check }, { say })).rejects.toThrow('set the key file');
    expect(say.mock.calls).toEqual([[['getaddrinfo ENOTFOUND']]]);
  });

  // What google-auth-library 10 throws in these cases.
  test.each([
    ['no key file anywhere', new Error('Could not load the default credentials.'), true],
    ['a key file that is none', new SyntaxError('Unexpected end of JSON input'), true],
    ['a key that was taken back', failure({ status: 400, config: {} }), true],
    ['a server in trouble', failure({ status: 503, config: {} }), false],
    ['no way to the server', failure({ code: 'ENOTFOUND', config: {} }), false],
  ])('%s', (_what, error, refused) => {
    expect(isRefusal(error)).toBe(refused);
  });
});

function failure(fields: object): Error {
  return Object.assign(new Error('request to https://oauth2.googleapis.com/token failed'), fields);
}
