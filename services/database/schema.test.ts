import { describe, expect, test } from 'vitest';
import { createTestDatabase, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { bySize } from '@proveklar/tests/support/settings.ts';
import { describeSchema } from './describe-schema.ts';
import { migrate } from './migrate.ts';

const database = useTestDatabase();

describe('the schema', () => {
  // After a change: run `npm test -- services/database -u` and read the difference.
  test('matches the committed description in migrations/schema.txt', async () => {
    await expect(await describeSchema(database.pool)).toMatchFileSnapshot(
      '../../migrations/schema.txt',
    );
  });

  test('migrates down to nothing, and up once to the same schema when several processes start together', async () => {
    const { url, pool, drop } = await createTestDatabase();
    try {
      const before = await describeSchema(pool);
      await migrate(url, 'down', 1_000);
      expect((await describeSchema(pool)).trim()).toBe('');
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      const { rows } = await pool.query('select count(*)::int as n from migration');
      expect(applied.flat()).toHaveLength(rows[0].n);
      expect(await describeSchema(pool)).toBe(before);
    } finally {
      await drop();
    }
  });

  test('applies a migration that arrives after one with a newer name', async () => {
    const { url, pool, drop } = await createTestDatabase();
    try {
      const [older] = await migrate(url, 'down');
      await pool.query(
        `insert into migration (name, run_on) values ('20991231000000_newer', now())`,
      );
      expect(await migrate(url)).toEqual([older]);
    } finally {
      await drop();
    }
  });

  // Released migrations do not change, so a short run takes the newest.
  test('migrates one step down and up to the same schema, at every step', async () => {
    const { url, pool, drop } = await createTestDatabase();
    const steps = bySize({ quick: 5, large: Infinity, full: Infinity });
    try {
      for (let step = 0; step < steps; step += 1) {
        const before = await describeSchema(pool);
        const [name] = await migrate(url, 'down');
        if (!name) break;
        await migrate(url, 'up', 1);
        expect(await describeSchema(pool), name).toBe(before);
        await migrate(url, 'down');
      }
    } finally {
      await drop();
    }
  });

  test('has an index for every foreign key', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select conname as name from pg_constraint fk
       where contype = 'f' and connamespace = 'public'::regnamespace
         and not exists (
           select from pg_index i where i.indrelid = fk.conrelid
             and fk.conkey <@ (i.indkey::int2[])[0:cardinality(fk.conkey) - 1])`,
    );
    expect(rows).toEqual([]);
  });
});
