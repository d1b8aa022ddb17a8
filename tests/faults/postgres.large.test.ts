import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import { useTestGateway } from '#support/gateway.ts';
import { recordFigures } from '#support/figures.ts';
import { fileRow, sendFile } from '#support/imports.ts';
import { bySize } from '#support/settings.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { startProcesses, type Processes } from '../payments/processes.ts';
import { findDifferences, prepareLoad, type Load } from './load.ts';
import { ownPostgres, type OwnPostgres, type Shutdown } from './own-postgres.ts';
import { allRunning, readinessOf, recoveryOf, type Recovery } from './recovery.ts';

// PostgreSQL, with the queues in it, is restarted again and again while learners answer and pay and a
// file is imported. Refused calls are retried, and every acknowledged call has its effect exactly once.
const TWO: Shutdown[] = ['fast', 'immediate'];
const RESTARTS = bySize({ quick: TWO, large: TWO, full: [...TWO, ...TWO, 'immediate' as const] });
const ROWS = 5_000;
const LOAD_MS = 2_000;
const DOWN_MS = 1_500;
/** The first job must be done before the relay's own redelivery after 30 s. */
const MAX_RESUME_S = 20;

// Only its stand-ins and identities are used, not its database.
const gateway = useTestGateway();
const mailbox = useTestMailbox();
let folder: string;
let postgres: OwnPostgres;
let db: Database;
let processes: Processes;
let load: Load;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proveklar-faults-'));
  postgres = await ownPostgres();
  db = createPool(postgres.url, { applicationName: 'test' });
  const config = { ...gateway.deps.config, DATABASE_URL: postgres.url };
  const environment = { SMTP_URL: mailbox.smtpUrl };
  processes = await startProcesses({ config, workers: 2, environment, folder });
  const { identity, deps } = gateway;
  load = await prepareLoad({ url: processes.url, db, identity, stripe: deps.stripe });
});
afterAll(async () => {
  await processes?.stop();
  await db?.end();
  await postgres?.close();
  await rm(folder, { recursive: true });
});

/** The test's own pool may still have connections from before the restart. */
async function untilItAnswers(): Promise<void> {
  const answers = () =>
    db.query('select 1').then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(true);
}

const untilAllReady = () =>
  Promise.all(
    processes.names.slice(1).map((name) => {
      const status = async () => (await readinessOf(processes.operatorsUrl(name))).status;
      return expect.poll(status).toBe(200);
    }),
  );

test(`nothing is lost in ${RESTARTS.length} restarts of PostgreSQL`, async () => {
  await untilAllReady();
  const rows = Array.from({ length: ROWS }, (_, n) => fileRow(`Hva er ${n * 7919}?`));
  const importId = await sendFile(db, rows);
  const recoveries: Recovery[] = [];
  load.begin();
  for (const shutdown of RESTARTS) {
    await sleep(LOAD_MS);
    await postgres.restart(shutdown, DOWN_MS);
    await untilItAnswers();
    recoveries.push(await recoveryOf(db));
  }
  await load.end();
  await recoveryOf(db);
  const state = async () => (await readImport(db, importId)).state;
  await expect.poll(state).toBe('completed');

  const lines = await Promise.all(
    processes.names.map(async (name) => {
      const log = await readFile(join(folder, `${name}.log`), 'utf8');
      return `${name} ${log.split('\n').length}`;
    }),
  );
  const inWords = (name: keyof Recovery) =>
    `${recoveries.map((each) => each[name].toFixed(1)).join(', ')} s`;
  process.stdout.write(
    `PostgreSQL ${RESTARTS.join(', ')}: resumed after ${inWords('resumed')}, caught up ` +
      `after ${inWords('caughtUp')}; ${load.answers} answers, ` +
      `${load.payments.length} payments; lines in the logs: ${lines.join(', ')}\n`,
  );
  const differences = await findDifferences(db, load);
  recordFigures({
    restarts: RESTARTS.length,
    answers: load.answers,
    payments: load.payments.length,
    ...differences,
    'worst seconds to resume': Math.max(...recoveries.map(({ resumed }) => resumed)).toFixed(1),
    'worst seconds to catch up': Math.max(...recoveries.map((one) => one.caughtUp)).toFixed(1),
  });
  expect(load.refusals).toEqual([]);
  expect(differences).toEqual(Object.fromEntries(Object.keys(differences).map((n) => [n, 0])));
  expect(await readImport(db, importId)).toMatchObject({ imported: ROWS });
  expect(Math.max(...recoveries.map(({ resumed }) => resumed))).toBeLessThan(MAX_RESUME_S);
  await allRunning(db);
  await untilAllReady();
});
