import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { RESTART_BACKOFF } from '@proveklar/local/service.ts';
import { answersOk, untilReady } from '@proveklar/local/until-ready.ts';
import type { TestGateway } from '#support/gateway.ts';
import { workerEnvironment } from '#support/workers.ts';

const GATEWAY = fileURLToPath(new URL('../../gateway/server.ts', import.meta.url));
const WORKERS = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

export interface ProcessesOptions {
  config: TestGateway['deps']['config'];
  /** Where the queues are; by default in the gateway's database. */
  queueUrl?: string | undefined;
  /** The number of worker processes, next to the one gateway. */
  workers: number;
  /** Added to the environment of the workers. */
  environment: Record<string, string>;
  /** Asked at each start: added to the environment of the process of this name. */
  environmentOf?: (name: string) => Record<string, string>;
  /** The folder of their logs. */
  folder: string;
}

/** The gateway and the workers, each a process that can be killed and is restarted at once. */
export interface Processes {
  /** The address of the API. */
  url: string;
  /** The names by which they are killed. */
  names: string[];
  /** The address of the admin port of these workers. */
  operatorsUrl: (name: string) => string;
  /** Kills a process by SIGKILL; `meanwhile` runs before it is restarted. */
  kill: (name: string, meanwhile?: () => Promise<void>) => Promise<void>;
  /** The id of a process, which changes with each start. */
  pid: (name: string) => number;
  /** Processes that ended without being killed. They are started again, as a supervisor would. */
  crashes: readonly string[];
  stop: () => Promise<void>;
}

/** Starts them and waits until the gateway answers. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { config, environment, folder, queueUrl = config.DATABASE_URL } = options;
  const { environmentOf = () => ({}) } = options;
  const [port = 0, ...operatorsPorts] = await freePorts(1 + options.workers);
  const origin = `http://127.0.0.1:${port}`;
  const ofGateway = {
    PATH: process.env.PATH,
    ...Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
    LOG_LEVEL: 'warn',
    PORT: String(port),
    // Each learner sends an IP address of their own in a header.
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const ofWorkers = { ...workerEnvironment(config, queueUrl), ...environment };
  const logFile = (name: string) => join(folder, `${name}.log`);
  const operatorsPort = (name: string) => String(operatorsPorts[names.indexOf(name) - 1]);
  const launch = (name: string) =>
    startNode({
      name,
      script: [name === 'gateway' ? GATEWAY : WORKERS],
      env: {
        ...(name === 'gateway' ? ofGateway : { ...ofWorkers, OPERATORS_PORT: operatorsPort(name) }),
        ...environmentOf(name),
      },
      logFile: logFile(name),
    });
  const names = [
    'gateway',
    ...Array.from({ length: options.workers }, (_, n) => `workers-${n + 1}`),
  ];
  const running = new Map<string, Child>();
  const crashes: string[] = [];
  const start = (name: string) => {
    const child = launch(name);
    running.set(name, child);
    void child.ended.then(async ({ code, signal }) => {
      if (running.get(name) !== child) return;
      crashes.push(`${name}: ${signal ?? `exit code ${String(code)}`}`);
      await sleep(RESTART_BACKOFF.min);
      if (running.get(name) === child) start(name);
    });
  };
  for (const name of names) start(name);
  const isReady = () => answersOk(`${origin}/health/ready`);
  const stop = async () => {
    const children = [...running.values()];
    running.clear();
    await Promise.all(children.map((child) => child.stop()));
  };
  const child = running.get('gateway')!;
  await untilReady({ child, isReady, logFile: logFile('gateway') }).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return {
    url: `${origin}/api/v1`,
    names,
    operatorsUrl: (name) => `http://127.0.0.1:${operatorsPort(name)}`,
    async kill(name, meanwhile) {
      const child = running.get(name)!;
      running.delete(name);
      child.kill();
      await child.ended;
      await meanwhile?.();
      start(name);
    },
    pid: (name) => running.get(name)?.pids[0] ?? 0,
    crashes,
    stop,
  };
}
