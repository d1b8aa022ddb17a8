import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { readOffsiteBackups } from '@proveklar/services/database/check-database.ts';
import { describeSchema } from '@proveklar/services/database/describe-schema.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { listBackups, readRestoreTest } from '@proveklar/services/database/service-status.ts';
import { createTestDatabase, type TestDatabase } from '#support/database.ts';
import { createLearner, createQuestions } from '#support/factories.ts';
import { printTable } from '#support/figures.ts';
import { BACKUP_TOOLS, dumpsIn, runScript, startScript, untilNextName } from './backup-scripts.ts';
import { startStore, STORE_KEYS, type Store } from './object-store.ts';

const hasRestic = spawnSync('restic', ['version']).status === 0;
const canRun = hasRestic && BACKUP_TOOLS === 'machine';
const DAY_MS = 86_400_000;

describe.skipIf(!canRun)('a copy off the machine (without restic and pg_dump 18: not run)', () => {
  const root = mkdtempSync(join(tmpdir(), 'proveklar-offsite-'));
  const folder = join(root, 'backups');
  const objects = join(root, 'objects');
  let database: TestDatabase;
  let db: Database;
  let port: number;
  let store: Store;
  let environment: Parameters<typeof runScript>[1];

  const connect = () => createPool(database.url, { applicationName: 'learners' });
  const dumps = () => dumpsIn(folder);
  const run = (line: string[], changes: Record<string, string> = {}) =>
    runScript(line, { ...environment, ...changes });

  beforeAll(async () => {
    mkdirSync(folder);
    database = await createTestDatabase();
    db = connect();
    [port = 0] = await freePorts(1);
    store = await startStore({ port, folder: objects });
    environment = {
      ...STORE_KEYS,
      DATABASE_URL: database.url,
      BACKUP_FOLDER: folder,
      RESTIC_REPOSITORY: `s3:http://127.0.0.1:${port}/proveklar`,
      RESTIC_PASSWORD: 'a password of the test',
    };
    await createQuestions(db, { count: 200 });
    await createLearner(db, { email: 'kari@example.no' });
  });
  afterAll(async () => {
    const { rows } = await db.query<{ datname: string }>(
      'select datname from pg_database where datname like $1',
      [`${name()}_until_%`],
    );
    for (const { datname } of rows) await db.query(`drop database "${datname}"`);
    await db.end();
    await database.drop();
    await store.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const name = () => new URL(database.url).pathname.slice(1);

  async function backUp() {
    await untilNextName(folder);
    expect(await run(['backup.sh', 'once'])).toMatchObject({ status: 0 });
  }

  /** The number of rows of each table but those that backups are noted in. */
  async function countRows() {
    const { rows: tables } = await db.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'backup_%'
       order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name: table } of tables) {
      const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from "${table}"`);
      counts[table] = rows[0]!.n;
    }
    return counts;
  }

  const scratchDatabases = async () =>
    (await db.query('select from pg_database where datname = $1', [`${name()}_verifying`]))
      .rowCount;

  test('is sent, and noted beside the backup', async () => {
    expect(await readOffsiteBackups(db)).toBeUndefined();
    await backUp();
    const startedAt = performance.now();
    const sent = await run(['offsite.sh', 'once']);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(sent).toMatchObject({ status: 0, output: expect.stringContaining('sent: ') });
    expect(await readOffsiteBackups(db)).toMatchObject({ verifiedSeconds: null });
    expect((await readOffsiteBackups(db))!.sentSeconds).toBeLessThan(60);
    expect((await listBackups(db)).map(({ sent_at: at }) => at)).toEqual([expect.any(Date)]);
    printTable('A copy off the machine', { 'seconds to send': seconds.toFixed(1) });
  });

  test('cannot be read in the store', () => {
    const texts = ['kari@example.no', 'public.account', 'CREATE TABLE'];
    const foundIn = (place: string) =>
      texts.filter((text) => spawnSync('grep', ['-rqaF', text, place]).status === 0);
    // The backup itself is packed, but not its table of contents.
    expect(foundIn(folder)).toEqual(['public.account', 'CREATE TABLE']);
    expect(readdirSync(objects, { recursive: true }).length).toBeGreaterThan(5);
    expect(foundIn(objects)).toEqual([]);
  });

  test('is restored as a test, and nothing of that stays', async () => {
    const verified = await run(['offsite.sh', 'verify']);
    expect(verified).toMatchObject({
      status: 0,
      output: expect.stringContaining('restored as a test: '),
    });
    expect((await readOffsiteBackups(db))!.verifiedSeconds).toBeLessThan(60);
    expect((await readRestoreTest(db))!.verified_rows).toBeGreaterThan(200);
    expect(await scratchDatabases()).toBe(0);
    expect(readdirSync(folder).filter((file) => file.includes('fetched'))).toEqual([]);
  });

  test('brings the database back when the machine is lost', async () => {
    const [schema, counts] = [await describeSchema(db), await countRows()];
    await db.query('delete from question where id < (select max(id) from question)');
    await createLearner(db, { email: 'later@example.no' });
    await db.end();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);

    expect((await run(['offsite.sh', 'list'])).output).toContain('1 snapshots');
    const startedAt = performance.now();
    expect(await run(['offsite.sh', 'fetch'])).toMatchObject({ status: 0 });
    const [dump = ''] = dumps();
    const restored = await run(['restore.sh', dump]);
    const seconds = (performance.now() - startedAt) / 1000;
    db = connect();
    expect(restored).toMatchObject({ status: 0, output: expect.stringContaining('1 accounts') });
    expect(await countRows()).toEqual(counts);
    expect(await describeSchema(db)).toBe(schema);
    expect((await db.query('select email from account')).rows).toEqual([
      { email: 'kari@example.no' },
    ]);
    printTable('A lost machine', { 'seconds to fetch and restore': seconds.toFixed(1) });
  });

  test('is not sent with another password, and the reason is said', async () => {
    await backUp();
    const refused = await run(['offsite.sh', 'once'], { RESTIC_PASSWORD: 'another' });
    expect(refused).toMatchObject({
      status: 1,
      output: expect.stringContaining('RESTIC_PASSWORD is not a password of the repository'),
    });
    expect((await listBackups(db))[0]!.sent_at).toBeNull();
    const read = await run(['offsite.sh', 'fetch'], { RESTIC_PASSWORD: 'another' });
    expect(read.status).toBe(1);
  });

  test('is sent when the store is back, and the backup does not wait for it', async () => {
    await store.stop();
    await backUp();
    expect(await listBackups(db)).not.toEqual([]);
    const watching = startScript(['offsite.sh', 'watch', '1'], environment);
    await expect.poll(watching.output).toContain('not sent; next attempt in 1 s');
    expect(watching.output()).toContain('the store cannot be opened: ');
    expect((await listBackups(db))[0]!.sent_at).toBeNull();
    store = await startStore({ port, folder: objects });
    const sentAt = async () => (await listBackups(db))[0]!.sent_at;
    await expect.poll(sentAt).toEqual(expect.any(Date));
    await watching.stop();
  });

  test('whose rows are not those of the backup fails the test', async () => {
    const before = await readRestoreTest(db);
    await backUp();
    const list = join(folder, dumps().at(-1)!.replace('.dump', '.rows'));
    const wrong = readFileSync(list, 'utf8').replace('public.account 1', 'public.account 2');
    writeFileSync(list, wrong);
    expect(await run(['offsite.sh', 'once'])).toMatchObject({ status: 0 });
    const { status, output } = await run(['offsite.sh', 'verify']);
    expect(status).toBe(1);
    expect(output).toContain('public.account 2');
    expect(output).toContain('the test restore failed');
    expect(await readRestoreTest(db)).toEqual(before);
    expect(await scratchDatabases()).toBe(0);
  });

  test('is removed after 35 days', async () => {
    // Not synchronously: the store is in this process.
    const restic = async (...args: string[]) => {
      const env = { ...process.env, ...environment, TZ: 'UTC' };
      return (await promisify(execFile)('restic', ['--no-cache', ...args], { env })).stdout;
    };
    const timeOf = (days: number) =>
      new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
    for (const days of [40, 20, 3]) {
      // Each copy is of a file with another name.
      const file = join(root, `${days}.dump`);
      writeFileSync(file, 'a dump');
      await restic('backup', '--quiet', '--host', 'proveklar', '--time', timeOf(days), file);
    }
    await backUp();
    expect(await run(['offsite.sh', 'once'])).toMatchObject({ status: 0 });
    const snapshots = JSON.parse(await restic('snapshots', '--json')) as { time: string }[];
    const ages = snapshots.map(({ time }) => Math.round((Date.now() - Date.parse(time)) / DAY_MS));
    expect(new Set(ages)).toEqual(new Set([20, 3, 0]));
  });
});
