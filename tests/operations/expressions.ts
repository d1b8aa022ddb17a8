import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** A panel of the dashboard; a row has no targets. */
interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

/** A PromQL expression, and the rule or panel that it is from. */
export interface Expression {
  name: string;
  expr: string;
}

export const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (path: string) => readFileSync(`${DEPLOY}${path}`, 'utf8');

export const RUNBOOK = 'docs/operations/alerts.md';
export const runbook = readFileSync(`${DEPLOY}../${RUNBOOK}`, 'utf8');

const rules = parse(read('prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
export const alerts = rules.groups.flatMap((group) => group.rules);

export const dashboard = JSON.parse(read('grafana/dashboards/proveklar.json')) as {
  uid: string;
  panels: (Panel & { id: number; gridPos: Record<'x' | 'y' | 'w' | 'h', number> })[];
};

/** Every expression of the rules and of the dashboard, with the dashboard's variables filled in. */
export const expressions: Expression[] = [
  ...alerts.map(({ alert, expr }) => ({ name: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      name: `panel ${title}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    })),
  ),
];

/** The metrics that an expression reads. */
export function metricsOf({ expr }: Expression): string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(by|on) *\([^)]*\)/gu, '');
  return [...bare.matchAll(/\b(up|(?:proveklar|node|nodejs|process)_\w+)\b/gu)].map(
    ([name]) => name,
  );
}

/** The values that an expression matches a label with: `a|b` are two. */
export function valuesOf({ expr }: Expression, label: string): string[] {
  const selectors = expr.matchAll(new RegExp(`\\b${label}[!=~]+"([^"]*)"`, 'gu'));
  return [...selectors].flatMap(([, values = '']) => values.split('|'));
}
