import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import {
  openQueueBackend,
  prepareQueueBackend,
  type QueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import type { TestGateway } from './gateway.ts';

const MAIN = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

export interface TestWorkers {
  /** Starts another worker process on the same queues. */
  start: () => Child;
  /** The same queues, for a test that adds jobs itself. Closed after the test. */
  backend: QueueBackend;
  /** Everything that these workers have logged. */
  readLogs: () => Promise<string>;
}

/** Starts workers as separate processes; all are stopped after the test. */
export function useTestWorkers(): {
  on: (
    gateway: TestGateway,
    redisUrl: string | undefined,
    environment?: Record<string, string>,
  ) => Promise<TestWorkers>;
} {
  const running: Child[] = [];
  const folders: string[] = [];
  const backends: QueueBackend[] = [];
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.close()));
    await Promise.all(running.splice(0).map((child) => child.stop()));
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });
  return {
    async on({ deps: { config }, database }, redisUrl, environment) {
      const queueUrl = redisUrl ?? database.url;
      await prepareQueueBackend(queueUrl);
      const folder = await mkdtemp(join(tmpdir(), 'proveklar-workers-'));
      folders.push(folder);
      const env = { ...workerEnvironment(config, queueUrl), ...environment };
      const backend = openQueueBackend(queueUrl);
      backends.push(backend);
      return {
        backend,
        async readLogs() {
          const names = await readdir(folder);
          const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
          return logs.join('');
        },
        start() {
          const name = `workers-${running.length}`;
          const logFile = join(folder, `${name}.log`);
          const child = startNode({ name, script: [MAIN], env, logFile });
          running.push(child);
          return child;
        },
      };
    },
  };
}

/** The environment of a worker process. */
export function workerEnvironment(
  config: TestGateway['deps']['config'],
  queueUrl: string,
): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: config.DATABASE_URL,
    QUEUE_URL: queueUrl,
    FIREBASE_PROJECT_ID: config.FIREBASE_PROJECT_ID,
    FIREBASE_API_KEY: config.FIREBASE_API_KEY,
    FIREBASE_AUTH_EMULATOR_HOST: config.FIREBASE_AUTH_EMULATOR_HOST,
    STRIPE_SECRET_KEY: config.STRIPE_SECRET_KEY,
    STRIPE_API_URL: config.STRIPE_API_URL,
    WITHDRAWAL_KEY: config.WITHDRAWAL_KEY,
    PUBLIC_URL: config.PUBLIC_URL,
    SUPPORT_EMAIL: config.SUPPORT_EMAIL,
    BANK_DIR: config.BANK_DIR,
    // Nothing listens there: a test that reads mails passes its own mailbox.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Prøveklar <kontakt@example.no>',
    OPERATORS_PORT: '0',
  };
}
