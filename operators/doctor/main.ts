import { parseArgs } from 'node:util';
import pTimeout from 'p-timeout';
import { environmentOfProcess, splitList } from '@proveklar/services/config/config.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { fault, type Finding } from '#status/finding.ts';
import { backup, database } from './database.ts';
import { identity } from './identity.ts';
import { type Check, configuration, type Installation, openInstallation } from './installation.ts';
import { mail } from './mail.ts';
import { bank, offer } from './offer.ts';
import { payments, stripe, webhook } from './payments.ts';
import { queue, workers } from './queue.ts';
import { web } from './web.ts';

// The doctor: `npm run doctor`, or `node operators/doctor/main.ts [--json]`. It ends with 1 when something
// is at fault.

/** In the order in which they are shown: what others rest upon comes first. */
const CHECKS: readonly Check[] = [
  configuration,
  database,
  backup,
  queue,
  workers,
  web,
  identity,
  mail,
  stripe,
  webhook,
  bank,
  offer,
  payments,
];

/** Longer than any of them waits. */
const TIMEOUT_MS = 20_000;

interface Examined {
  check: string;
  findings: Finding[];
}

/** Looks at everything at the same time. Changes nothing. */
export async function examine(
  environment: Record<string, string | undefined>,
  timeoutMs = TIMEOUT_MS,
): Promise<Examined[]> {
  const installation = openInstallation(environment);
  try {
    return await Promise.all(CHECKS.map((check) => runInTime(check, installation, timeoutMs)));
  } finally {
    // A connection that hangs would hold the report back.
    void installation.db?.end().catch(() => {});
  }
}

async function runInTime(
  { name, run }: Check,
  installation: Installation,
  milliseconds: number,
): Promise<Examined> {
  const found = Promise.try(run, installation).catch((error: unknown) => [
    fault(reasonOf(error), 'Read this error; it is one that the check does not know.'),
  ]);
  const fallback = () => [
    fault(
      `no answer within ${milliseconds / 1000} s`,
      'See whether this machine reaches it at all.',
    ),
  ];
  return { check: name, findings: await pTimeout(found, { milliseconds, fallback }) };
}

const MARKS: Record<Finding['level'], string> = { ok: '✓', warning: '!', fault: '✗' };
const NAME_WIDTH = 15;

/** The list as a person reads it. */
function formatReport(examined: Examined[]): string {
  const lines = examined.flatMap(({ check, findings }) =>
    findings.flatMap(({ level, found, advice }, index) => {
      const name = (index === 0 ? check : '').padEnd(NAME_WIDTH);
      const line = `${MARKS[level]} ${name}${found}`;
      return advice ? [line, `  ${' '.repeat(NAME_WIDTH)}→ ${advice}`] : [line];
    }),
  );
  return `${lines.join('\n')}\n\n${summarize(examined)}\n`;
}

/** The same for machines. */
function formatJson(examined: Examined[]): string {
  return `${JSON.stringify({ ok: countOf(examined, 'fault') === 0, checks: examined }, null, 2)}\n`;
}

/** How many findings are of a level. */
function countOf(examined: Examined[], level: Finding['level']): number {
  return examined.flatMap(({ findings }) => findings).filter((it) => it.level === level).length;
}

function summarize(examined: Examined[]): string {
  const faults = countOf(examined, 'fault');
  const warnings = countOf(examined, 'warning');
  if (faults + warnings === 0) return 'All is well.';
  const named = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${named(faults, 'fault')}, ${named(warnings, 'warning')}.`;
}

/** Takes out of a text what must not be seen, wherever it came from: errors repeat addresses. */
export function withoutSecrets(
  text: string,
  environment: Record<string, string | undefined>,
): string {
  const secrets = [
    environment.STRIPE_SECRET_KEY,
    ...splitList(environment.STRIPE_WEBHOOK_SECRET ?? ''),
    environment.WITHDRAWAL_KEY,
  ];
  const hidden = secrets
    .filter((secret) => secret !== undefined && secret.length > 0)
    .reduce<string>((rest, secret) => rest.replaceAll(secret!, '•••'), text);
  return hidden.replaceAll(/:\/\/([^\s/:@]*):[^\s/@]+@/g, '://$1:•••@');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const environment = environmentOfProcess();
  const examined = await examine(environment);
  const text = values.json ? formatJson(examined) : formatReport(examined);
  process.stdout.write(withoutSecrets(text, environment), () => {
    // What hangs must not hold this process.
    process.exit(countOf(examined, 'fault') > 0 ? 1 : 0);
  });
}
