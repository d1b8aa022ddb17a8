import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupAgeSeconds } from '@proveklar/services/database/check-database.ts';
import { describeSchema } from '@proveklar/services/database/describe-schema.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { createTestDatabase, type TestDatabase } from '#support/database.ts';
import { createLearner, createQuestions } from '#support/factories.ts';
import { BACKUP_TOOLS, dumpsIn, runScript, untilNextName } from './backup-scripts.ts';

describe.skipIf(!BACKUP_TOOLS)('a backup (without pg_dump 18 or its image: not run)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proveklar-backup-'));
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    // Writable for the user of the container.
    chmodSync(folder, 0o777);
    database = await createTestDatabase();
    db = connect();
    await createQuestions(db, { count: 20 });
  });
  afterAll(async () => {
    const kept = `${nameOf(database.url)}_until_%`;
    const { rows } = await db.query<{ datname: string }>(
      'select datname from pg_database where datname like $1',
      [kept],
    );
    for (const { datname } of rows) await db.query(`drop database "${datname}"`);
    await db.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = () => createPool(database.url, { applicationName: 'learners' });
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const emails = async () =>
    (await db.query<{ email: string }>('select email from account')).rows.map(({ email }) => email);
  const dumps = () => dumpsIn(folder);
  const run = (...line: string[]) =>
    runScript(line, { DATABASE_URL: database.url, BACKUP_FOLDER: folder, BACKUP_KEEP: '2' });

  async function backUp() {
    await untilNextName(folder);
    expect(await run('backup.sh', 'once')).toMatchObject({ status: 0 });
  }

  test('is recorded when it is complete, and only the newest ones are kept', async () => {
    await createLearner(db, { email: 'kari@example.no' });
    expect(await backupAgeSeconds(db)).toBeUndefined();
    for (const _ of [1, 2, 3]) await backUp();
    expect(dumps()).toHaveLength(2);
    expect(await backupAgeSeconds(db)).toBeLessThan(60);
    const { rows } = await db.query<{ bytes: number }>('select bytes from backup_run');
    expect(rows).toHaveLength(3);
    const sizes = dumps().map((dump) => statSync(join(folder, dump)).size);
    expect(rows.map(({ bytes }) => bytes)).toEqual(expect.arrayContaining(sizes));
  });

  test('replaces a database that has lost rows', async () => {
    const dump = dumps().at(-1) ?? '';
    const schema = await describeSchema(db);
    await createLearner(db, { email: 'later@example.no' });
    await db.query('delete from question where id < (select max(id) from question)');
    await db.query("update account set email = 'wrong@example.no' where email = 'kari@example.no'");

    const refused = await run('restore.sh', dump);
    expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('learners') });
    await db.end();
    const restored = await run('restore.sh', dump);
    db = connect();
    expect(restored).toMatchObject({ status: 0, output: expect.stringContaining('1 accounts') });
    expect(await emails()).toEqual(['kari@example.no']);
    const { rows } = await db.query('select count(*)::int as questions from question');
    expect(rows).toEqual([{ questions: 20 }]);
    expect(await describeSchema(db)).toBe(schema);
  });

  test('with other rows than were counted in it is not restored, and the database stays', async () => {
    const dump = dumps().at(-1) ?? '';
    const list = join(folder, dump.replace('.dump', '.rows'));
    const counted = readFileSync(list, 'utf8');
    writeFileSync(list, counted.replace('public.question 20', 'public.question 21'));
    await db.query("update account set email = 'newer@example.no'");
    await db.end();
    const refused = await run('restore.sh', dump);
    db = connect();
    expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('question 21') });
    expect(await emails()).toEqual(['newer@example.no']);
    writeFileSync(list, counted);
  });

  test('that is truncated is not restored, and the database stays', async () => {
    const dump = dumps().at(-1) ?? '';
    truncateSync(join(folder, dump), 50_000);
    await db.end();
    const { status } = await run('restore.sh', dump);
    db = connect();
    expect(status).not.toBe(0);
    expect(await emails()).toEqual(['newer@example.no']);
  });
});
