import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import * as clack from '@clack/prompts';
import {
  environmentOfProcess,
  readConfig,
  ServiceConfig,
} from '@proveklar/services/config/config.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import type { Finding } from '#status/finding.ts';
import { identity } from './doctor/identity.ts';
import { type Check, openInstallation } from './doctor/installation.ts';
import { mail } from './doctor/mail.ts';
import { stripe } from './doctor/payments.ts';

// `npm run configure`: asks for what production needs, checks each answer, and writes .env.

type Values = Record<string, string>;

/** What the person sees and answers: the terminal, or a list of answers in a test. */
export interface Terminal {
  text: (question: {
    message: string;
    initialValue?: string;
    validate: (value: string) => string | undefined;
  }) => Promise<string>;
  select: <T extends string>(question: {
    message: string;
    options: { value: T; label: string }[];
  }) => Promise<T>;
  say: (level: Finding['level'], message: string) => void;
}

interface Question {
  name: string;
  message: string;
  /** Checks beyond those of the process that reads the variable. */
  validate?: (value: string) => string | undefined;
  suggest?: (values: Values) => string | undefined;
}

interface Part {
  questions: Question[];
  /** Asks the provider whether the answers work. */
  check?: (values: Values, root: string) => Promise<Finding[]>;
}

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
const TLS_FILES = 'docker-compose.yml:deploy/proxy/tls.yml';
const PLAIN_FILES = 'docker-compose.yml';

const PARTS: Part[] = [
  {
    questions: [
      {
        name: 'DOMAIN',
        message: 'Domain of the site, such as proveklar.no',
        validate: (value) =>
          DOMAIN.test(value) ? undefined : 'Type a domain alone: no https://, no path, no port.',
        // An .env from before DOMAIN was in it.
        suggest: ({ PUBLIC_URL: url = '' }) => /^https:\/\/([^/]+)$/.exec(url)?.[1],
      },
    ],
    check: async ({ DOMAIN: domain = '' }) => [await findAddress(domain)],
  },
  {
    questions: [
      { name: 'ADMIN_EMAIL', message: 'Google accounts of the administrators, comma-separated' },
      {
        name: 'SUPPORT_EMAIL',
        message: 'E-mail address for learners who need help',
        suggest: ({ DOMAIN: domain = '' }) => `kontakt@${domain}`,
      },
    ],
  },
  {
    questions: [
      {
        name: 'FIREBASE_PROJECT_ID',
        message: 'Firebase: project id (console, Project settings, General)',
      },
      { name: 'FIREBASE_API_KEY', message: 'Firebase: web API key (the same page)' },
      {
        name: 'FIREBASE_AUTH_DOMAIN',
        message: 'Firebase: domain that serves the sign-in',
        suggest: ({ FIREBASE_PROJECT_ID: project = '' }) => `${project}.firebaseapp.com`,
      },
      {
        name: 'GOOGLE_CREDENTIALS_FILE',
        message:
          'Firebase: file of the service account (console, Project settings, Service accounts)',
      },
    ],
    check: checkFirebase,
  },
  {
    questions: [
      {
        name: 'STRIPE_SECRET_KEY',
        message: 'Stripe: secret key (dashboard, Developers, API keys)',
      },
      { name: 'STRIPE_PUBLISHABLE_KEY', message: 'Stripe: publishable key (the same page)' },
      {
        name: 'STRIPE_WEBHOOK_SECRET',
        message:
          'Stripe: signing secret of the endpoint <site>/api/v1/stripe/webhook (Developers, Webhooks)',
      },
    ],
    check: (values) => runCheck(stripe, values),
  },
  {
    questions: [
      { name: 'SMTP_URL', message: 'Mail server: smtp://user:password@host:587 or smtps://…' },
      {
        name: 'MAIL_FROM',
        message: 'Sender of mails: an address, or Name <address>',
        suggest: ({ SUPPORT_EMAIL: support = '' }) => `Prøveklar <${support}>`,
      },
    ],
    check: (values) => runCheck(mail, values),
  },
];

/** Backups off this machine (docs/operations/backup.md). */
const STORE: Part = {
  questions: [
    {
      name: 'RESTIC_REPOSITORY',
      message: 'Object store: s3:https://<host of the store>/<bucket>',
      validate: (value) =>
        /^s3:https:\/\/[^/\s]+\/[^/\s]+/.test(value)
          ? undefined
          : 'Type s3:https://, the host of the store, a slash and the bucket.',
    },
    { name: 'AWS_ACCESS_KEY_ID', message: 'Object store: id of a key for this bucket only' },
    { name: 'AWS_SECRET_ACCESS_KEY', message: 'Object store: secret of this key' },
  ],
  check: async ({ RESTIC_REPOSITORY: store = '' }) => [await findStore(store)],
};
const STORE_TIMEOUT_MS = 10_000;

/** Generated where .env has none yet: name and number of random bytes. */
const SECRETS = { POSTGRES_PASSWORD: 24, WITHDRAWAL_KEY: 32, OPERATORS_PASSWORD: 18 };

/**
 * Asks, checks and writes `.env` in `root`, readable by its owner only. The one that is there already is kept
 * beside it, and its values are suggested.
 *
 * @returns the path of the earlier `.env`'s copy, or null
 */
export async function configure(
  terminal: Terminal,
  { root, version, now = new Date() }: { root: string; version: string; now?: Date },
): Promise<{ copy: string | null }> {
  const file = join(root, '.env');
  const before = existsSync(file) ? parseValues(readFileSync(file, 'utf8')) : {};
  const values: Values = { ...before, NODE_ENV: 'production', VERSION: version };
  for (const part of PARTS) await askPart(terminal, part, values, root);
  values.PUBLIC_URL = 'https://${DOMAIN}';
  values.COMPOSE_FILE = await terminal.select({
    message: 'TLS: who has the certificate?',
    options: [
      {
        value: TLS_FILES,
        label: 'This installation: fetch and renew it (ports 80 and 443 reach this machine)',
      },
      { value: PLAIN_FILES, label: 'A proxy of ours in front, which forwards to 127.0.0.1:3000' },
    ],
  });
  for (const [name, bytes] of Object.entries(SECRETS)) {
    if (generate(values, name, bytes)) terminal.say('ok', `${name} is generated`);
  }
  await askForStore(terminal, values, root);
  const template = readFileSync(join(root, '.env.example'), 'utf8');
  const copy = existsSync(file) ? `${file}.${now.toISOString().replaceAll(/[:.]/g, '-')}` : null;
  if (copy) copyFileSync(file, copy);
  // Whole or not at all, and never readable by others.
  writeFileSync(`${file}.new`, fillIn(template, values), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return { copy };
}

/** Asks again until the provider accepts the answers, or the person keeps them as they are. */
async function askPart(terminal: Terminal, part: Part, values: Values, root: string) {
  for (;;) {
    for (const { name, message, validate, suggest } of part.questions) {
      if (values[`${name}_FILE`]) continue;
      const answer = await terminal.text({
        message,
        initialValue: values[name] ?? suggest?.(values),
        validate: (value) => validate?.(value.trim()) ?? problemOf(name, value.trim(), values),
      });
      values[name] = answer.trim();
    }
    const findings = (await part.check?.(values, root)) ?? [];
    for (const { level, found, advice } of findings) {
      terminal.say(level, advice ? `${found}\n${advice}` : found);
    }
    if (findings.every(({ level }) => level !== 'fault')) return;
    const next = await terminal.select({
      message: 'Answer these again?',
      options: [
        { value: 'again', label: 'Yes' },
        { value: 'keep', label: 'No, keep the answers: `npm run doctor` checks them later' },
      ],
    });
    if (next === 'keep') return;
  }
}

/** @returns false when there is one already */
function generate(values: Values, name: string, bytes: number): boolean {
  if (values[name] || values[`${name}_FILE`]) return false;
  values[name] = randomBytes(bytes).toString('hex');
  return true;
}

async function askForStore(terminal: Terminal, values: Values, root: string): Promise<void> {
  const options = [
    { value: 'later', label: 'Later: with this machine the backups are lost' },
    { value: 'now', label: 'Yes: encrypted, to an object store (S3) at another provider' },
  ] as const;
  const answer = await terminal.select({
    message: 'Send backups off this machine?',
    options: values.RESTIC_REPOSITORY ? options.toReversed() : [...options],
  });
  if (answer === 'later') return;
  await askPart(terminal, STORE, values, root);
  if (generate(values, 'RESTIC_PASSWORD', 24)) {
    terminal.say(
      'warning',
      'RESTIC_PASSWORD is generated.\nKeep it and the answers about the store elsewhere, too: without them no one can read the copies.',
    );
  }
  terminal.say('ok', 'Build what sends them, too: docker compose build --pull offsite');
  const profiles = (values.COMPOSE_PROFILES ?? '').split(',').filter(Boolean);
  values.COMPOSE_PROFILES = [...new Set([...profiles, 'backup', 'offsite'])].join(',');
}

/** What the processes would say about one variable in production. */
function problemOf(name: string, value: string, values: Values): string | undefined {
  if (value === '') return 'An answer is needed.';
  // Its mode, test or live, must be that of the secret key.
  const { STRIPE_SECRET_KEY: secret = '' } = values;
  const beside = name === 'STRIPE_PUBLISHABLE_KEY' ? { STRIPE_SECRET_KEY: secret } : {};
  const environment = { NODE_ENV: 'production', ...beside, [name]: value };
  const problem = readConfig(ServiceConfig, environment).problems.find(
    (text) => text.includes(name) && !text.endsWith(' is not set'),
  );
  if (problem === undefined) return undefined;
  const text = problem.startsWith(`${name} `) ? problem.slice(name.length + 1) : problem;
  return text.replace(/^[a-z]/u, (letter) => letter.toUpperCase());
}

/** The environment of a process that has these values. */
function environmentOf(values: Values): Values {
  return { ...values, PUBLIC_URL: `https://${values.DOMAIN ?? ''}` };
}

async function runCheck(check: Check, values: Values): Promise<Finding[]> {
  try {
    return await check.run(openInstallation(environmentOf(values)));
  } catch (error) {
    return [{ level: 'fault', found: reasonOf(error) }];
  }
}

async function findAddress(domain: string): Promise<Finding> {
  try {
    const { address } = await lookup(domain);
    return { level: 'ok', found: `${domain} leads to ${address}` };
  } catch (error) {
    return {
      level: 'warning',
      found: `${domain} leads nowhere yet: ${reasonOf(error)}`,
      advice: 'Add an A record with the address of this machine at your DNS provider.',
    };
  }
}

/** Any response will do: what the key may do is found when the first backup is sent. */
async function findStore(store: string): Promise<Finding> {
  const url = store.replace(/^s3:/, '');
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(STORE_TIMEOUT_MS) });
    return { level: 'ok', found: `${new URL(url).host} answers` };
  } catch (error) {
    return { level: 'fault', found: `${url} does not answer: ${reasonOf(error)}` };
  }
}

async function checkFirebase(values: Values, root: string): Promise<Finding[]> {
  const { GOOGLE_CREDENTIALS_FILE: file = '', FIREBASE_PROJECT_ID: project = '' } = values;
  let owner: unknown;
  try {
    const content = JSON.parse(readFileSync(resolve(root, file), 'utf8')) as Record<
      string,
      unknown
    >;
    owner = content.project_id;
  } catch (error) {
    return [{ level: 'fault', found: `${file} cannot be read as JSON: ${reasonOf(error)}` }];
  }
  if (owner !== project) {
    return [
      {
        level: 'fault',
        found: `${file} belongs to the project ${String(owner)}, not to ${project}`,
      },
    ];
  }
  // Google's library reads this variable; in containers Compose sets it.
  environmentOfProcess().GOOGLE_APPLICATION_CREDENTIALS = resolve(root, file);
  return runCheck(identity, values);
}

/** `PUBLIC_URL=https://${DOMAIN}` is for Compose: parseEnv does not expand it, and nothing here reads it. */
function parseValues(text: string): Values {
  const entries = Object.entries(parseEnv(text)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Values;
}

/** The template with these values in their lines; what it does not know stands at the end. */
export function fillIn(template: string, values: Values): string {
  const remaining = new Map(Object.entries(values));
  const lines = template.split('\n').map((line) => {
    const name = /^#?([A-Z][A-Z_]+)=/.exec(line)?.[1];
    const value = name === undefined ? undefined : remaining.get(name);
    if (name === undefined || value === undefined) return line;
    remaining.delete(name);
    return `${name}=${quoted(value)}`;
  });
  if (remaining.size === 0) return lines.join('\n');
  const rest = Array.from(remaining, ([name, value]) => `${name}=${quoted(value)}`);
  return [...lines, '# ===== From the earlier .env =====', ...rest, ''].join('\n');
}

/** As Compose reads it back: `$`, quotes and `#` are literal only in quotes. */
function quoted(value: string): string {
  if (value === 'https://${DOMAIN}' || /^[\w./:@%?=&,+~<> æøåÆØÅ-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replaceAll(/[\\"$]/g, String.raw`\$&`)}"`;
}

/** Ctrl-C ends without having written anything. */
function orLeave<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) {
    clack.cancel('Nothing was written.');
    process.exit(130);
  }
  return answer;
}

/** The person at the terminal. */
function terminalOf(): Terminal {
  const log = { ok: clack.log.success, warning: clack.log.warn, fault: clack.log.error };
  return {
    text: async ({ validate, ...question }) =>
      orLeave(await clack.text({ ...question, validate: (value) => validate(value ?? '') })),
    select: async (question) => orLeave(await clack.select(question as never)),
    say: (level, message) => log[level](message),
  };
}

/** Name of what is checked out; the day where it is no clone. */
function readVersion(root: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  } catch {
    return new Date().toISOString().slice(0, 10);
  }
}

if (import.meta.main) {
  if (!process.stdin.isTTY) {
    process.stderr.write('npm run configure asks questions: run it in a terminal.\n');
    process.exit(1);
  }
  const root = join(import.meta.dirname, '..');
  clack.intro('Prøveklar in production: 14 questions, 3 more about a store for backups, then .env');
  const { copy } = await configure(terminalOf(), { root, version: readVersion(root) });
  clack.log.success(copy ? `.env is written; the earlier one is ${copy}` : '.env is written');
  clack.outro(
    'Next: docker compose build migrate, then docs/operations/install.md#production, step 2',
  );
}
