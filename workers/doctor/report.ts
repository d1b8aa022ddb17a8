import { splitList } from '@proveklar/services/config/config.ts';
import type { Examined } from './examine.ts';
import type { Finding } from '@proveklar/operators/status/finding.ts';

const MARKS: Record<Finding['level'], string> = { ok: '✓', warning: '!', fault: '✗' };
const NAME_WIDTH = 15;

/** The list as a person reads it. */
export function formatReport(examined: Examined[]): string {
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
export function formatJson(examined: Examined[]): string {
  return `${JSON.stringify({ ok: countOf(examined, 'fault') === 0, checks: examined }, null, 2)}\n`;
}

/** How many findings are of a level. */
export function countOf(examined: Examined[], level: Finding['level']): number {
  return examined.flatMap(({ findings }) => findings).filter((it) => it.level === level).length;
}

function summarize(examined: Examined[]): string {
  const faults = countOf(examined, 'fault');
  const warnings = countOf(examined, 'warning');
  if (faults + warnings === 0) return 'All is well.';
  const named = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${named(faults, 'fault')}, ${named(warnings, 'warning')}.`;
}

/** Takes out of a text what must not be seen, whoever put it there: errors repeat addresses. */
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
