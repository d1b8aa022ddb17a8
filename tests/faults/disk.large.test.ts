import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { startProcesses, type Processes } from '../payments/processes.ts';
import { mountSmallDisk, type SmallDisk } from './disk.ts';
import { findDifferences, prepareLoad, type Load } from './load.ts';
import { ownPostgres, type OwnPostgres } from './own-postgres.ts';
import { recoveryOf } from './recovery.ts';

// The disk of PostgreSQL is full for a while. Calls are told to retry, nothing that was acknowledged is lost,
// and when there is space again the processes go on without a restart.
const DISK_MB = 400;
const FULL_MS = 6_000;
const LOAD_MS = 2_000;

const gateway = useTestGateway();
const mailbox = useTestMailbox();
const disk = await mountSmallDisk(DISK_MB);
let folder: string;
let postgres: OwnPostgres;
let db: Database;
let processes: Processes;
let load: Load;

beforeAll(async () => {
  if (typeof disk === 'string') return;
  folder = await mkdtemp(join(tmpdir(), 'proveklar-faults-'));
  const settings = { min_wal_size: '32MB', max_wal_size: '64MB' };
  postgres = await ownPostgres({ inFolder: disk.folder, settings });
  db = createPool(postgres.url, { applicationName: 'test' });
  const config = { ...gateway.deps.config, DATABASE_URL: postgres.url };
  const environment = { SMTP_URL: mailbox.smtpUrl };
  processes = await startProcesses({ config, workers: 1, environment, folder });
  const { identity, deps } = gateway;
  load = await prepareLoad({ url: processes.url, db, identity, stripe: deps.stripe });
});
afterAll(async () => {
  await processes?.stop();
  await db?.end();
  await postgres?.close();
  if (typeof disk !== 'string') await disk.close();
  if (folder) await rm(folder, { recursive: true });
});

test('a full disk is refused with 503, loses nothing, and heals without a restart', async ({
  skip,
}) => {
  skip(typeof disk === 'string', typeof disk === 'string' ? disk : '');
  const pids = processes.names.map((name) => processes.pid(name));
  load.begin();
  await sleep(LOAD_MS);
  const before = load.answers;
  (disk as SmallDisk).fill();
  const refused = async () => {
    const { idToken } = await gateway.identity.createPasswordUser();
    const response = await fetch(`${processes.url}/payment/create-intent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => null);
    await response?.arrayBuffer();
    return [response?.status, response?.headers.get('retry-after') !== null];
  };
  // New pages are needed until the last one is full.
  await expect.poll(refused, { interval: 200 }).toEqual([503, true]);
  const during = load.answers - before;
  await sleep(FULL_MS);
  (disk as SmallDisk).empty();
  // It ends in the middle of a recovery, perhaps only now: a supervisor would watch it, too.
  let restarted = false;
  const answers = async () => {
    if (await postgres.revive()) restarted = true;
    const result = await db.query('select 1').catch(() => null);
    return result !== null;
  };
  await expect.poll(answers).toBe(true);
  const { resumed, caughtUp } = await recoveryOf(db);
  await load.end();
  await recoveryOf(db);
  const differences = await findDifferences(db, load);
  recordFigures({
    'seconds full': FULL_MS / 1000,
    answers: load.answers,
    'answers before it was full': before + during,
    payments: load.payments.length,
    'PostgreSQL ended': restarted ? 'yes' : 'no',
    ...differences,
    'seconds to resume': resumed.toFixed(1),
    'seconds to catch up': caughtUp.toFixed(1),
  });
  expect(load.refusals).toEqual([]);
  expect(differences).toEqual(Object.fromEntries(Object.keys(differences).map((n) => [n, 0])));
  expect(load.answers).toBeGreaterThan(before + during);
  expect(processes.names.map((name) => processes.pid(name))).toEqual(pids);
});
