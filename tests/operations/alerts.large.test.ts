import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { EVENTS, QUEUES } from '@proveklar/services/events/catalogue.ts';
import {
  BACKUP_FAULT_S,
  LONG_QUEUES,
  OUTBOX_FAULT_S,
  RESTORE_TEST_WARNING_S,
  UNCONSUMED_LONG_WARNING_S,
  UNCONSUMED_WARNING_S,
} from '@proveklar/operators/status/thresholds.ts';
import { startStack, type TestStack } from '#support/stack.ts';
import {
  alerts,
  dashboard,
  DEPLOY,
  expressions,
  metricsOf,
  RUNBOOK,
  runbook,
  valuesOf,
} from './expressions.ts';
import { hasProgram, promtool, startPrometheus, type Prometheus } from './prometheus.ts';

describe('every alert', () => {
  test('has a section in the runbook, and every section has an alert', () => {
    const pages = new Set([...runbook.matchAll(/^## (.+)$/gmu)].map(([, title]) => title));
    expect(pages).toEqual(new Set(alerts.map(({ alert }) => alert)));
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`${RUNBOOK}#${alert.toLowerCase()}`);
    }
  });

  test('has a section with all parts of a runbook', () => {
    for (const page of runbook.split(/^## /mu).slice(1)) {
      const said = [...page.matchAll(/^- \*\*(.+?):\*\*/gmu)].map(([, word]) => word);
      expect(said, page).toEqual(['Means', 'Learners notice', 'Look first', 'Do', 'Over']);
    }
  });

  test('has a severity and a unique name', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { labels } of alerts) expect(labels.severity).toMatch(/^(critical|warning)$/u);
  });

  test('fires at the age at which the status page and the doctor warn', () => {
    const ageOf = (name: string) => {
      const { expr = '' } = alerts.find(({ alert }) => alert === name) ?? {};
      const [, age = ''] = /> ([\d *]+)$/mu.exec(expr) ?? [];
      return age.split('*').reduce((product, factor) => product * Number(factor), 1);
    };
    expect(ageOf('OutboxOld')).toBe(OUTBOX_FAULT_S);
    expect(ageOf('QueueOld')).toBe(UNCONSUMED_WARNING_S);
    expect(ageOf('BackgroundWorkOld')).toBe(UNCONSUMED_LONG_WARNING_S);
    expect(ageOf('BackupOld')).toBe(BACKUP_FAULT_S);
    expect(ageOf('OffsiteBackupOld')).toBe(BACKUP_FAULT_S);
    expect(ageOf('RestoreTestOld')).toBe(RESTORE_TEST_WARNING_S);
    const short = expressions.find(({ name }) => name === 'QueueOld');
    expect(new Set(QUEUES).difference(new Set(LONG_QUEUES))).toEqual(
      new Set(valuesOf(short!, 'queue')),
    );
  });

  test.skipIf(!hasProgram('promtool'))(
    'fires when it should, and only then (skipped without promtool)',
    () => {
      promtool('check', 'rules', `${DEPLOY}prometheus/alerts.yml`);
      expect(promtool('test', 'rules', `${DEPLOY}prometheus/alerts.test.yml`)).toContain('SUCCESS');
    },
  );
});

describe('the dashboard', () => {
  test('has panels with unique ids and places', () => {
    const places = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { gridPos } of dashboard.panels)
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

test('rules and panels name the queues and events of the catalogue', () => {
  for (const expression of expressions) {
    for (const queue of valuesOf(expression, 'queue')) expect(QUEUES).toContain(queue);
    for (const event of valuesOf(expression, 'event')) expect(EVENTS).toHaveProperty([event]);
  }
});

describe('against a running service', () => {
  let stack: TestStack;
  let targets: { gateway: string; worker: string };
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    stack = await startStack({ environment: { GATEWAY_OPERATORS_PORT: String(port) } });
    targets = { gateway: `127.0.0.1:${port}`, worker: new URL(stack.operatorsUrl).host };
  });
  afterAll(() => stack?.close());

  test('every metric that a rule or the dashboard reads exists', async () => {
    const texts = await Promise.all(
      Object.values(targets).map(async (host) => (await fetch(`http://${host}/metrics`)).text()),
    );
    const types = texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)]);
    const names = new Set(
      types.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    // Not Prometheus' own metrics, nor the host's.
    const ours = (metric: string) => metric !== 'up' && !metric.startsWith('node_');
    const read = new Set(expressions.flatMap(metricsOf).filter(ours));
    expect(read.size).toBeGreaterThan(25);
    expect([...read].filter((metric) => !names.has(metric))).toEqual([]);
  });

  test.skipIf(!hasProgram('prometheus'))(
    'Prometheus evaluates each expression (skipped without Prometheus)',
    async () => {
      let prometheus: Prometheus | undefined;
      try {
        prometheus = await startPrometheus({
          gateway: [targets.gateway],
          worker: [targets.worker],
        });
        const { query } = prometheus;
        const ups = async () => (await query('up == 1')).map(({ metric }) => metric.job);
        await expect.poll(ups).toHaveLength(2);
        for (const { expr } of expressions) await query(expr);
        // Joined metrics must have a value: it would be missing if their labels did not match.
        const healthy = [
          'max(proveklar_outbox_oldest_seconds)',
          'max by (queue) (proveklar_canary_age_seconds)',
        ];
        for (const expr of healthy) await expect.poll(() => query(expr)).not.toEqual([]);
        await stack.database.pool.query(
          `insert into backup_run (started_at, bytes) values (now() - interval '27 hours', 1)`,
        );
        const pending = async () =>
          (await query('ALERTS{severity="critical"} or ALERTS{alertname="BackupOld"}')).map(
            ({ metric }) => metric.alertname,
          );
        await expect.poll(pending).toEqual(['BackupOld']);
      } finally {
        await prometheus?.stop();
      }
    },
  );
});
