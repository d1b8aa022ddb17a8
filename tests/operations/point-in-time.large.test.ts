import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster, withClient } from '@proveklar/local/postgres/cluster.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { createLearner, createQuestions } from '#support/factories.ts';
import { printTable } from '#support/figures.ts';

// What docs/operations/backup.md says of point-in-time recovery, with a server that archives its write-ahead log.
const folder = mkdtempSync(join(tmpdir(), 'proveklar-pitr-'));
const archive = join(folder, 'archive');
const base = join(folder, 'base.tar');
const running: { stop: () => Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(running.map((child) => child.stop()));
  rmSync(folder, { recursive: true });
});

const urlAt = (port: number) => `postgres://proveklar:proveklar@127.0.0.1:${port}/proveklar`;

async function start(name: string, settings: Record<string, string>) {
  const [port = 0] = await freePorts(1);
  const { superuserUrl, child, ready } = await startCluster({
    port,
    dataDir: join(folder, name),
    logFile: join(folder, `${name}.log`),
    settings,
  });
  running.push(child);
  await ready;
  return { superuserUrl, child, url: urlAt(port) };
}

/** Copies the data of a running server, as pg_basebackup does. */
async function makeBaseBackup(superuserUrl: string, dataDir: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('daily', fast => true)`);
    const left = ['./pg_wal/*', './postmaster.pid'].map((file) => `--exclude=${file}`);
    // 1: a file was changed or removed meanwhile. The log has it.
    const { status } = spawnSync('tar', ['-C', dataDir, ...left, '-cf', base, '.']);
    expect(status).toBeLessThanOrEqual(1);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop()',
    );
    writeFileSync(join(folder, 'backup_label'), rows[0]!.labelfile);
  });
}

test('a lost database is restored as it was before a mistake', async () => {
  // When root runs the tests, PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  const first = await start('data', {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  await ensureDatabase(first.superuserUrl, 'proveklar');
  await migrate(first.url);
  const db = createPool(first.url, { applicationName: 'test' });
  await createLearner(db, { email: 'kari@example.no' });
  await makeBaseBackup(first.superuserUrl, join(folder, 'data'));

  await createLearner(db, { email: 'ola@example.no' });
  await createQuestions(db, { count: 500 });
  const { rows } = await db.query<{ time: string }>('select clock_timestamp()::text as time');
  const { time } = rows[0]!;
  // The mistake.
  await db.query('update account set email = id || $1', ['@example.no']);
  await createLearner(db, { email: 'later@example.no' });
  await db.end();
  await withClient(first.superuserUrl, async (client) => {
    const { rows: switched } = await client.query<{ file: string }>(
      'select pg_walfile_name(pg_switch_wal()) as file',
    );
    const isArchived = async () => {
      const archived = await client.query<{ done: boolean }>(
        'select last_archived_wal >= $1 as done from pg_stat_archiver',
        [switched[0]!.file],
      );
      return archived.rows[0]!.done;
    };
    await expect.poll(isArchived).toBe(true);
  });
  // The machine is lost.
  first.child.kill();
  await first.child.ended;
  rmSync(join(folder, 'data'), { recursive: true });

  const startedAt = performance.now();
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  execFileSync('tar', ['-C', restored, '-xpf', base]);
  const put = (file: string, from: string) => {
    execFileSync('cp', [from, join(restored, file)]);
    // The server syncs both, as another user.
    chmodSync(join(restored, file), 0o666);
  };
  put('backup_label', join(folder, 'backup_label'));
  put('recovery.signal', '/dev/null');
  const second = await start('restored', {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: time,
    recovery_target_action: 'promote',
  });
  await withClient(second.superuserUrl, async (client) => {
    const isRecovering = async () =>
      (await client.query<{ yes: boolean }>('select pg_is_in_recovery() as yes')).rows[0]!.yes;
    await expect.poll(isRecovering).toBe(false);
  });
  const seconds = (performance.now() - startedAt) / 1000;

  await withClient(second.url, async (client) => {
    const { rows: accounts } = await client.query('select email from account order by email');
    expect(accounts).toEqual([{ email: 'kari@example.no' }, { email: 'ola@example.no' }]);
    const { rows: questions } = await client.query('select count(*)::int as n from question');
    expect(questions).toEqual([{ n: 500 }]);
    // It takes writes again.
    await client.query(`update account set email = 'ny@example.no' where email = 'ola@example.no'`);
  });
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const segments = readdirSync(archive).map((file) => statSync(join(archive, file)).size);
  printTable('Point-in-time recovery', {
    'base backup MB': megabytes(statSync(base).size),
    'archived log MB': megabytes(segments.reduce((sum, size) => sum + size, 0)),
    'seconds to restore': seconds.toFixed(1),
  });
});
