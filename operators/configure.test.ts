import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useTestMailbox } from '@proveklar/tests/support/mailbox.ts';
import { useStripeStandIns } from '@proveklar/tests/support/stripe-stand-ins.ts';
import { configure, fillIn, type Terminal } from './configure.ts';

const mailbox = useTestMailbox();
const standIns = useStripeStandIns();
const EXAMPLE = new URL('../.env.example', import.meta.url);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'configure-'));
  writeFileSync(join(root, '.env.example'), readFileSync(EXAMPLE));
  writeFileSync(join(root, 'key.json'), JSON.stringify({ project_id: 'civics' }));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A person who gives these answers in turn, by the start of the question; otherwise the suggested one. */
function personWho(answers: Record<string, string[]>) {
  const said: string[] = [];
  const refused: string[] = [];
  const next = (message: string) => {
    const key = Object.keys(answers).find((start) => message.startsWith(start));
    return key === undefined ? undefined : answers[key]!.shift();
  };
  const terminal: Terminal = {
    async text({ message, initialValue, validate }) {
      for (;;) {
        const answer = next(message) ?? initialValue;
        if (answer === undefined) throw new Error(`No answer to: ${message}`);
        const problem = validate(answer);
        if (problem === undefined) return answer;
        refused.push(problem);
      }
    },
    select: async ({ message, options }) =>
      (next(message) ?? options[0]!.value) as (typeof options)[number]['value'],
    say: (level, message) => said.push(`${level}: ${message}`),
  };
  return { terminal, said, refused };
}

const ANSWERS = () => ({
  Domain: ['civics.invalid'],
  'Google accounts': ['admin@civics.no'],
  'E-mail address': ['help@civics.no'],
  'Firebase: project': ['civics'],
  'Firebase: web': ['AIza-key'],
  'Firebase: file': ['key.json'],
  'Stripe: secret': ['sk_live_51abcdefghijklmnop'],
  'Stripe: publishable': ['pk_live_51abcdefghijklmnop'],
  'Stripe: signing': ['whsec_abcdefghijklmnopqrstuvwx'],
  'Mail server': [`${mailbox.smtpUrl}?requireTLS=false`],
  'Answer these again?': ['keep', 'keep', 'keep'],
});

const written = () => {
  const text = readFileSync(join(root, '.env'), 'utf8');
  return { text, values: parseEnv(text) };
};

test('configure writes an .env that only its owner can read, with generated secrets', async () => {
  const { terminal, said } = personWho(ANSWERS());
  expect(await configure(terminal, { root, version: 'abc1234' })).toEqual({ copy: null });
  expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600);
  const { text, values } = written();
  expect(text).toContain('PUBLIC_URL=https://${DOMAIN}\n');
  expect(values).toMatchObject({
    NODE_ENV: 'production',
    VERSION: 'abc1234',
    COMPOSE_FILE: 'docker-compose.yml:deploy/proxy/tls.yml',
    DOMAIN: 'civics.invalid',
    ADMIN_EMAIL: 'admin@civics.no',
    FIREBASE_AUTH_DOMAIN: 'civics.firebaseapp.com',
    GOOGLE_CREDENTIALS_FILE: 'key.json',
    MAIL_FROM: 'Prøveklar <help@civics.no>',
    POSTGRES_PASSWORD: expect.stringMatching(/^[0-9a-f]{48}$/),
    WITHDRAWAL_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
    OPERATORS_PASSWORD: expect.stringMatching(/^[0-9a-f]{36}$/),
  });
  // What is not asked for keeps its comment.
  expect(text).toContain('\n#LOG_LEVEL=info\n');
  expect(said).toContainEqual(expect.stringMatching(/^warning: civics\.invalid leads nowhere yet/));
});

test('configure refuses answers that production refuses, and says why', async () => {
  const answers = ANSWERS();
  answers.Domain.unshift('https://civics.no/');
  answers['Google accounts'].unshift('admin@example.no');
  answers['Stripe: secret'].unshift('pk_live_51abcdefghijklmnop');
  answers['Stripe: publishable'].unshift('');
  const { terminal, refused } = personWho(answers);
  await configure(terminal, { root, version: 'v' });
  expect(refused).toEqual([
    'Type a domain alone: no https://, no path, no port.',
    "Holds an address for examples: set the Google account of the service's administrator",
    expect.stringMatching(/^Must match pattern/),
    'An answer is needed.',
  ]);
});

test('configure asks a provider whether the answers work, and asks again when they do not', async () => {
  const stripeUrl = await standIns.start('http://127.0.0.1:1/api/v1/stripe/webhook', ['*']);
  writeFileSync(join(root, '.env'), `STRIPE_API_URL=${stripeUrl}\n`);
  const answers = ANSWERS();
  // The stand-in knows keys for test mode only, which production refuses too: kept at the end.
  answers['Stripe: secret'] = ['sk_live_revoked', 'sk_test_51abcdefghijklmnop'];
  answers['Stripe: publishable'].push('pk_live_other', 'pk_test_51abcdefghijklmnop');
  // Firebase comes first and cannot be reached; then Stripe, twice.
  answers['Answer these again?'] = ['keep', 'again', 'keep'];
  const { terminal, said, refused } = personWho(answers);
  await configure(terminal, { root, version: 'v' });
  const faults = said.filter((line) => line.startsWith('fault: '));
  expect(faults).toEqual([
    expect.stringContaining('fault: '),
    expect.stringContaining('Stripe refuses STRIPE_SECRET_KEY'),
    expect.stringContaining('the key is for test mode'),
  ]);
  expect(refused).toEqual([expect.stringContaining('of different modes')]);
  expect(said).toContainEqual('ok: the key has the required permissions');
  expect(said).toContainEqual(expect.stringContaining('accepts our mail'));
  expect(written().values.STRIPE_SECRET_KEY).toBe('sk_test_51abcdefghijklmnop');
});

test('configure asks for the object store of the backups, and adds what sends them', async () => {
  writeFileSync(join(root, '.env'), 'COMPOSE_PROFILES=observability\n');
  const answers = {
    ...ANSWERS(),
    'Send backups': ['now'],
    'Object store: s3': ['s3:https://127.0.0.1:1', 's3:https://127.0.0.1:1/backups'],
    'Object store: id': ['AKIA'],
    'Object store: secret': ['secret'],
    'Answer these again?': ['keep', 'keep', 'keep', 'keep'],
  };
  const { terminal, said, refused } = personWho(answers);
  await configure(terminal, { root, version: 'v' });
  expect(refused).toEqual(['Type s3:https://, the host of the store, a slash and the bucket.']);
  expect(said).toContainEqual(
    expect.stringMatching(/^fault: https:\/\/127\.0\.0\.1:1\/backups does not answer: /),
  );
  expect(said).toContainEqual(expect.stringMatching(/^warning: RESTIC_PASSWORD is generated/));
  expect(written().values).toMatchObject({
    COMPOSE_PROFILES: 'observability,backup,offsite',
    RESTIC_REPOSITORY: 's3:https://127.0.0.1:1/backups',
    RESTIC_PASSWORD: expect.stringMatching(/^[0-9a-f]{48}$/),
    AWS_ACCESS_KEY_ID: 'AKIA',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
});

test('configure keeps the earlier .env, its secrets and the variables that it does not know', async () => {
  const earlier =
    'PUBLIC_URL=https://civics.invalid\nPOSTGRES_PASSWORD=kept\nHOUSE_VARIABLE=a b\nGATEWAYS=3\n';
  writeFileSync(join(root, '.env'), earlier);
  const answers: Record<string, string[]> = ANSWERS();
  delete answers.Domain;
  const now = new Date('2026-11-23T10:00:00.000Z');
  const { copy } = await configure(personWho(answers).terminal, { root, version: 'v', now });
  expect(copy).toBe(join(root, '.env.2026-11-23T10-00-00-000Z'));
  expect(readFileSync(copy!, 'utf8')).toBe(earlier);
  expect(written().values).toMatchObject({
    DOMAIN: 'civics.invalid',
    POSTGRES_PASSWORD: 'kept',
    GATEWAYS: '3',
    HOUSE_VARIABLE: 'a b',
  });
  expect(readdirSync(root).toSorted()).toEqual([
    '.env',
    '.env.2026-11-23T10-00-00-000Z',
    '.env.example',
    'key.json',
  ]);
});

test('a value with $, quotes or # is written so that Compose reads it back', () => {
  const template = 'FIRST=\n#SECOND=\nTHIRD=\n';
  expect(fillIn(template, { FIRST: 'pa$$word#1', SECOND: "it's $5", THIRD: 'plain' })).toBe(
    `FIRST='pa$$word#1'\nSECOND="it's \\$5"\nTHIRD=plain\n`,
  );
});
