import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { answersOk, untilReady } from '@proveklar/local/until-ready.ts';
import type { TestGateway } from '#support/gateway.ts';
import { workerEnvironment } from '#support/workers.ts';

export interface ServicesOptions {
  config: TestGateway['deps']['config'];
  queueUrl: string;
  smtpUrl: string;
  /** The folder of their logs. */
  folder: string;
  /** The version whose code they start with. */
  version?: string;
  /** How long a gateway goes on answering after the first signal. */
  drainSeconds?: number;
}

/** How a process ended after a signal. */
export interface Ending {
  name: string;
  ms: number;
  code: number | null;
}

/** Two gateways and two worker processes, each with a port of its own. */
export interface Services {
  names: readonly string[];
  gatewayPorts: readonly number[];
  endings: Ending[];
  /** Sends SIGTERM, waits for the exit, and restarts it, with the code of another version if given. */
  restart: (name: string, version?: string) => Promise<void>;
  /** Sends SIGTERM twice; returns how it ended, timed from the first one. */
  endTwice: (name: string) => Promise<Ending>;
  /** Waits until all services are ready. */
  allReady: () => Promise<void>;
  stop: () => Promise<void>;
}

const NAMES = ['gateway-1', 'workers-1', 'gateway-2', 'workers-2'];
/** Longer than any of them should take, even on a slow host. */
const STOP_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 300_000;

/** Starts all services and waits until they are ready. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { config, queueUrl, smtpUrl, folder, version = PROJECT_DIR, drainSeconds = 2 } = options;
  const ports = await freePorts(NAMES.length * 2);
  const portOf = new Map(NAMES.map((name, n) => [name, ports[n]!]));
  const operatorsPortOf = new Map(NAMES.map((name, n) => [name, ports[NAMES.length + n]!]));
  const running = new Map<string, Child>();
  const endings: Ending[] = [];
  const isGateway = (name: string) => name.startsWith('gateway');
  const logFile = (name: string) => join(folder, `${name}.log`);

  function launch(name: string, directory: string): void {
    const own = { OPERATORS_PORT: String(operatorsPortOf.get(name)), VERSION: directory };
    const asText = Object.entries(config).map(([key, value]) => [key, String(value)]);
    const gateway = {
      PATH: process.env.PATH,
      ...Object.fromEntries(asText),
      LOG_LEVEL: 'warn',
      PORT: String(portOf.get(name)),
      DRAIN_SECONDS: String(drainSeconds),
      // Each learner sends an IP address of their own in a header.
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const workers = {
      ...workerEnvironment(config, queueUrl),
      SMTP_URL: smtpUrl,
      REGISTRATION_GRACE_SECONDS: '5',
    };
    const script = [join(directory, isGateway(name) ? 'gateway/server.ts' : 'workers/main.ts')];
    const env = { ...(isGateway(name) ? gateway : workers), ...own };
    running.set(name, startNode({ name, script, env, logFile: logFile(name) }));
  }

  async function ready(name: string): Promise<void> {
    const port = (isGateway(name) ? portOf : operatorsPortOf).get(name)!;
    await untilReady({
      child: running.get(name)!,
      isReady: () => answersOk(`http://127.0.0.1:${port}/health/ready`),
      logFile: logFile(name),
      timeoutMs: READY_TIMEOUT_MS,
    });
  }

  const services: Services = {
    names: NAMES,
    gatewayPorts: NAMES.filter(isGateway).map((name) => portOf.get(name)!),
    endings,
    async restart(name, directory = version) {
      const child = running.get(name)!;
      const asked = Date.now();
      void child.stop(STOP_TIMEOUT_MS);
      const { code } = await child.ended;
      endings.push({ name, ms: Date.now() - asked, code });
      launch(name, directory);
    },
    async endTwice(name) {
      const child = running.get(name)!;
      const asked = Date.now();
      process.kill(child.pids[0]!, 'SIGTERM');
      const url = `http://127.0.0.1:${operatorsPortOf.get(name)!}/health/ready`;
      await expect.poll(async () => (await fetch(url)).status).toBe(503);
      process.kill(child.pids[0]!, 'SIGTERM');
      const { code } = await child.ended;
      return { name, ms: Date.now() - asked, code };
    },
    allReady: async () => {
      await Promise.all(NAMES.map(ready));
    },
    stop: async () => {
      await Promise.all([...running.values()].map((child) => child.stop()));
    },
  };
  for (const name of NAMES) launch(name, version);
  await services.allReady().catch(async (error: unknown) => {
    await services.stop();
    throw error;
  });
  return services;
}

/** Restarts one service every `everyMs` milliseconds, or later while another is not ready. */
export async function inTurn(
  services: Services,
  names: readonly string[],
  { everyMs, version }: { everyMs: number; version?: string },
): Promise<{ longestPauseMs: number }> {
  let longestPauseMs = 0;
  for (const name of names) {
    const begun = Date.now();
    await services.restart(name, version);
    await services.allReady();
    await sleep(Math.max(0, begun + everyMs - Date.now()));
    longestPauseMs = Math.max(longestPauseMs, Date.now() - begun);
  }
  return { longestPauseMs };
}
