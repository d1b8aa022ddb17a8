import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { startGuarded } from '@proveklar/local/processes.ts';
import { untilReady } from '@proveklar/local/until-ready.ts';
import { stringify } from 'yaml';
import { DEPLOY } from './expressions.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';

/** Whether `program` of Debian's packages `prometheus` and `prometheus-alertmanager` is installed. */
export function hasProgram(program: 'promtool' | 'prometheus' | 'amtool'): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore', env: { PATH } });
    return true;
  } catch {
    return false;
  }
}

/** @throws Error with its output, when it finds a fault */
export function promtool(...args: string[]): string {
  return execFileSync('promtool', args, { encoding: 'utf8', env: { PATH }, stdio: 'pipe' });
}

export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Prometheus {
  /** The current result of an expression. @throws Error with Prometheus' message about the expression */
  query: (expr: string) => Promise<Sample[]>;
  stop: () => Promise<void>;
}

/** Starts the installed Prometheus with our rules, on loopback, scraping each target every second. */
export async function startPrometheus(targets: Record<string, string[]>): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-prometheus-'));
  const [port = 0] = await freePorts(1);
  const config = join(folder, 'prometheus.yml');
  const logFile = join(folder, 'log');
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [`${DEPLOY}prometheus/alerts.yml`],
    scrape_configs: Object.entries(targets).map(([job, addresses]) => ({
      job_name: job,
      static_configs: [{ targets: addresses }],
    })),
  };
  await writeFile(config, stringify(settings));
  const child = startGuarded({
    name: 'prometheus',
    command: [
      'prometheus',
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env: { PATH },
    logFile,
    stopSignals: ['SIGTERM', 'SIGKILL'],
    removeAfter: [folder],
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    return answer?.ok === true;
  };
  await untilReady({ child, isReady, logFile });
  return {
    async query(expr) {
      const answer = await fetch(`${url}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expr }),
      });
      const { data, error } = (await answer.json()) as {
        data?: { result: Sample[] };
        error?: string;
      };
      if (!data) throw new Error(`${error ?? answer.status}: ${expr}`);
      return data.result;
    },
    async stop() {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
