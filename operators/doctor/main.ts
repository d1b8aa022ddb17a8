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
import { payments, stripe, wallets, webhook } from './payments.ts';
import { queue, workers } from './queue.ts';
import { web } from './web.ts';

// The doctor checks an installation: `npm run doctor`, or `node operators/doctor/main.ts [--json] [--register]`. It
// exits with 1 when it finds a fault.

/** In the order of the report: dependencies of other checks come first. */
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
  wallets,
  bank,
  offer,
  payments,
];

/** Longer than the timeout of any check. */
const TIMEOUT_MS = 20_000;

interface CheckResult {
  check: string;
  findings: Finding[];
}

/** Runs all checks at the same time. Changes nothing, unless it `registers` what Stripe lacks. */
export async function runChecks(
  environment: Record<string, string | undefined>,
  { timeoutMs = TIMEOUT_MS, registers = false } = {},
): Promise<CheckResult[]> {
  const installation = openInstallation(environment, { registers });
  try {
    return await Promise.all(CHECKS.map((check) => runWithTimeout(check, installation, timeoutMs)));
  } finally {
    // Not awaited: a connection that hangs would delay the report.
    void installation.db?.end().catch(() => {});
  }
}

async function runWithTimeout(
  { name, run }: Check,
  installation: Installation,
  timeoutMs: number,
): Promise<CheckResult> {
  const findings = Promise.try(run, installation).catch((error: unknown) => [
    fault(reasonOf(error), 'The check does not know this error: read its text.'),
  ]);
  const fallback = () => [
    fault(`no answer within ${timeoutMs / 1000} s`, 'Check whether this host can reach it.'),
  ];
  return { check: name, findings: await pTimeout(findings, { milliseconds: timeoutMs, fallback }) };
}

const ICONS: Record<Finding['level'], string> = { ok: '✓', warning: '!', fault: '✗' };
const NAME_WIDTH = 15;

/** The report as text. */
function formatReport(results: CheckResult[]): string {
  const lines = results.flatMap(({ check, findings }) =>
    findings.flatMap(({ level, found, advice }, index) => {
      const name = (index === 0 ? check : '').padEnd(NAME_WIDTH);
      const line = `${ICONS[level]} ${name}${found}`;
      return advice ? [line, `  ${' '.repeat(NAME_WIDTH)}→ ${advice}`] : [line];
    }),
  );
  return `${lines.join('\n')}\n\n${countFindings(results)}\n`;
}

/** The report as JSON. */
function formatJson(results: CheckResult[]): string {
  return `${JSON.stringify({ ok: countOf(results, 'fault') === 0, checks: results }, null, 2)}\n`;
}

/** The number of findings of a level. */
function countOf(results: CheckResult[], level: Finding['level']): number {
  return results.flatMap(({ findings }) => findings).filter((finding) => finding.level === level)
    .length;
}

function countFindings(results: CheckResult[]): string {
  const faults = countOf(results, 'fault');
  const warnings = countOf(results, 'warning');
  if (faults + warnings === 0) return 'All checks passed.';
  const named = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${named(faults, 'fault')}, ${named(warnings, 'warning')}.`;
}

/** Masks secrets and the passwords of URLs: errors repeat addresses. */
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
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      /** Registers the site's domain at Stripe, for the wallets. */
      register: { type: 'boolean', default: false },
    },
  });
  const environment = environmentOfProcess();
  const results = await runChecks(environment, { registers: values.register });
  const text = values.json ? formatJson(results) : formatReport(results);
  process.stdout.write(withoutSecrets(text, environment), () => {
    // Exits although a check may still hang.
    process.exit(countOf(results, 'fault') > 0 ? 1 : 0);
  });
}
