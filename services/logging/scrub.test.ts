import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { describeError, safeError, scrub, SCRUB_RULES } from './scrub.ts';

const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmVk';

/** For each rule: a text, the secret in it, and the scrubbed text. */
const SAMPLES: Record<string, [text: string, secret: string, left: string][]> = {
  'private key': [
    [
      'k -----BEGIN PRIVATE KEY-----\\nMIIkey\\n-----END PRIVATE KEY----- e',
      'MIIkey',
      'k [private key] e',
    ],
    // Truncated.
    [
      '{"k":"-----BEGIN PRIVATE KEY-----\\nMIIkey","n":1}\n',
      'MIIkey',
      '{"k":"[private key]","n":1}\n',
    ],
  ],
  token: [
    [`token is ${JWT}`, JWT, 'token is [token]'],
    ['unsigned eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0. end', 'eyJzdWIi', 'unsigned [token] end'],
  ],
  authorization: [
    ['got Bearer abc-123456', 'abc-123456', 'got [authorization]'],
    ['got Basic b3BlcmF0b3I6eA==', 'b3BlcmF0b3I6eA', 'got [authorization]'],
  ],
  'client secret': [
    ['with pi_3Qx_secret_9Zz here', '9Zz', 'with [client secret] here'],
    ['with seti_1_secret_9Zz here', '9Zz', 'with [client secret] here'],
  ],
  'stripe key': [
    ['with sk_live_9Zz here', '9Zz', 'with [stripe key] here'],
    ['with rk_test_9Zz here', '9Zz', 'with [stripe key] here'],
    ['with whsec_9Zz+a= here', '9Zz', 'with [stripe key] here'],
  ],
  login: [
    ['no postgres://u:p4ss@db:5432/x', 'p4ss', 'no postgres://[login]@db:5432/x'],
    ['no smtps://u%40h:p4@ss@mail', 'p4@ss', 'no smtps://[login]@mail'],
  ],
  secret: [
    ['password=hunter22&x=1', 'hunter22', 'password=[secret]&x=1'],
    ['{"password":"hunter22"}', 'hunter22', '{"password":"[secret]"}'],
    ['{\\"idToken\\": \\"hunter22\\"}', 'hunter22', '{\\"idToken\\": \\"[secret]\\"}'],
    ['{"cvc":737,"n":1}', '737', '{"cvc":"[secret]","n":1}'],
    ['?mode=resetPassword&oobCode=hunter22', 'hunter22', '?mode=resetPassword&oobCode=[secret]'],
  ],
  address: [
    ['550 <kari.ås+x@example.no>: no', 'kari', '550 <[address]>: no'],
    ['Key (email)=(kari@mail.example.no) exists', 'kari', 'Key (email)=([address]) exists'],
    ['/u?email=kari%40example.no', 'kari', '/u?email=[address]'],
  ],
  card: [
    ['card 4242424242424242 refused', '4242', 'card [card] refused'],
    ['card 4242 4242 4242 4242 refused', '4242', 'card [card] refused'],
    ['card 6011 0009 9013 9424, refused', '6011', 'card [card], refused'],
  ],
};

describe.each(SCRUB_RULES.map((rule) => [rule.name, rule] as const))(
  'the rule %s',
  (name, rule) => {
    const samples = SAMPLES[name] ?? [];
    const others = SCRUB_RULES.filter((other) => other !== rule);

    test('redacts its samples, which no other rule does', () => {
      expect(samples).not.toEqual([]);
      for (const [text, secret, left] of samples) {
        expect(scrub(text, others)).toContain(secret);
        expect(scrub(text)).toBe(left);
      }
    });
  },
);

test.each([
  'trace 00-4111111111111111aaaaaaaaaaaaaaaa-00f067aa0ba902b7-01',
  'id 01977e2d-4242-7424-8242-424242424242 at 2026-11-21T15:00:00.000Z',
  'at file:///app/node_modules/@fastify/static/index.js:123:45',
  'took 1763740800000 ms, 4242424242424241 rows',
  '{"hasToken":true,"secret":null}',
])('keeps what helps to find a fault: %s', (text) => {
  expect(scrub(text)).toBe(text);
});

test('takes linear time on hostile texts', () => {
  const pieces = ['eyJaaaaaaaa-', 'a.', 'a@b.', 'token ', 'token\\', 'pi_a-', '://', '4242 ', '\\'];
  // CPU time, which other processes on the host do not affect.
  const secondsFor = (length: number) => {
    const begun = process.cpuUsage();
    for (const piece of [...pieces, '-----BEGIN PRIVATE KEY-----', 'a@a.']) {
      const text = piece.repeat(length / piece.length);
      scrub(`${text}-----BEGIN PRIVATE KEY-----${text}`);
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1e6;
  };
  const [short, long] = [secondsFor(25_000), secondsFor(200_000)];
  // Eight times the text takes eight times as long; quadratic time would be sixty-four times.
  expect(long / short).toBeLessThan(24);
});

test('a connection that failed at several addresses has the reason as its message', () => {
  const tried = [new Error('connect ECONNREFUSED ::1:5432'), new Error('also')];
  expect(describeError(new AggregateError(tried))).toMatchObject({
    message: 'connect ECONNREFUSED ::1:5432',
  });
});

test('an error is logged with helpful properties and without personal data', () => {
  const cause = Object.assign(new Error('duplicate key (kari@example.no)'), {
    code: '23505',
    constraint: 'account_email',
    detail: 'Key (name)=(Kari) already exists.',
    raw: { headers: { cookie: 'x' } },
  });
  const error = Object.assign(new Error('no mail to ola@example.no', { cause }), {
    envelope: { to: ['ola'] },
  });
  const lines: string[] = [];
  const log = createLogger({ kind: 'gateway' }, { write: (line) => void lines.push(line) });
  log.error({ err: error }, 'failed');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    process: 'gateway',
    msg: 'failed',
    err: {
      type: 'Error',
      message: 'no mail to [address]',
      cause: { code: '23505', constraint: 'account_email', message: 'duplicate key ([address])' },
    },
  });
  expect(lines[0]).not.toMatch(/kari|ola|cookie|detail|raw|envelope/i);
  const safe = safeError(error);
  expect([safe.message, safe.stack].join(' ')).not.toMatch(/kari|ola@/i);
  expect(safe.cause).toMatchObject({ code: '23505' });
});

test('secret fields are redacted, and every text is scrubbed', () => {
  const lines: string[] = [];
  const log = createLogger({ kind: 'workers' }, { write: (line) => void lines.push(line) });
  log.child({ who: 'kari@example.no' }).warn(
    {
      password: 'hunter22',
      body: { name: 'hunter22' },
      deep: { token: 'hunter22', note: `a ${JWT}` },
    },
    'told kari@example.no',
  );
  expect(lines[0]).not.toMatch(/hunter22|kari|eyJ/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ who: '[address]', msg: 'told [address]' });
});
