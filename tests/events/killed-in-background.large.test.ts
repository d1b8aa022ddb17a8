import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestWorkers } from '#support/workers.ts';
import { allConsumed } from '#support/consumed.ts';
import { useTestGateway } from '#support/gateway.ts';
import { signInAdmin } from '#support/examples/set-up.ts';
import { fileRow, importFile } from '#support/imports.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  const gateway = useTestGateway();
  // Before `useTestWorkers`: hooks run in reverse order, so the workers are stopped before tables are emptied.
  afterEach(() =>
    gateway.deps.db.query('truncate question, question_import, outbox, event_batch cascade'),
  );
  const workers = useTestWorkers();
  const QUESTIONS = 12_000;
  let token: string;
  let start: TestWorkers['start'];

  beforeAll(async () => {
    ({ token } = await signInAdmin(gateway));
  });
  beforeEach(async () => {
    ({ start } = await workers.on(gateway, redisUrl));
  });

  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => fileRow(`Hvilket nummer kommer etter ${n * 7919}?`));

  const ask = async <T>(sql: string, values: unknown[] = []): Promise<T> => {
    const { rows } = await gateway.deps.db.query<{ answer: T }>(sql, values);
    return rows[0]!.answer;
  };

  /**
   * Kills the workers during a statement like this one, once a part is done, and starts others that finish.
   * Returns how much was done at the kill.
   */
  async function killWhile(done: () => Promise<number>, statement: string): Promise<number> {
    const doomed = start();
    const isAtWork = async () =>
      (await done()) > 0 &&
      ask<boolean>(
        `select exists (select from pg_stat_activity
         where datname = current_database() and application_name = 'workers'
           and state = 'active' and query like $1) as answer`,
        [`%${statement}%`],
      );
    await expect.poll(isAtWork, { interval: 5 }).toBe(true);
    doomed.kill();
    await doomed.ended;
    const seen = await done();
    start();
    await allConsumed(gateway.deps.db);
    return seen;
  }

  describe('workers that are killed', () => {
    test('during a change of many questions change each question once', async () => {
      const { id } = await importFile(gateway.deps.db, rowsOf(QUESTIONS));
      await gateway.deps.db.query('delete from near_duplicate_search');
      const { body } = await gateway.call('POST', '/admin/question-changes', {
        token,
        body: { action: 'retopic', topic: 'Tall', selection: { import_id: id } },
      });
      const done = () => ask<number>('select done as answer from question_change');
      expect(await killWhile(done, 'with wanted as')).toBeLessThan(QUESTIONS);

      const change = await gateway.call('GET', `/admin/question-changes/${body.id}`, { token });
      const all = { total: QUESTIONS, done: QUESTIONS, changed: QUESTIONS };
      expect(change.body).toMatchObject({ state: 'completed', ...all });
      // A second change of a question would have stored a second version of it.
      const { rows } = await gateway.deps.db.query(
        `select topic, version, count(*)::int as questions,
              (select count(*)::int from question_version) as kept
       from question group by topic, version`,
      );
      expect(rows).toEqual([{ topic: 'Tall', version: 2, questions: QUESTIONS, kept: QUESTIONS }]);
    });

    test('while they index an import leave no text out', async () => {
      const { id } = await importFile(gateway.deps.db, rowsOf(QUESTIONS));
      await gateway.deps.db.query('delete from near_duplicate_search');
      const done = () => ask<number>('select count(*)::int as answer from question_search');
      expect(await killWhile(done, 'insert into question_search')).toBeLessThan(QUESTIONS);

      const same = await ask<number>(
        `select count(*)::int as answer from question
       join question_search on question_id = id and text = searched_text(question.*)`,
      );
      expect([same, await done()]).toEqual([QUESTIONS, QUESTIONS]);
      const searchable =
        'select searchable_at is not null as answer from question_import where id = $1';
      expect(await ask<boolean>(searchable, [id])).toBe(true);
    });

    test('while they search for near-duplicates find each once', async () => {
      const texts = rowsOf(600);
      const copies = texts.slice(0, 150).map((row) => ({ ...row, question: `Og ${row.question}` }));
      await importFile(gateway.deps.db, texts);
      await gateway.deps.db.query('delete from near_duplicate_search');
      const { id } = await importFile(gateway.deps.db, copies);
      await importFile(gateway.deps.db, rowsOf(900).slice(600));
      const done = () =>
        ask<number>('select coalesce(sum(checked), 0)::int as answer from near_duplicate_search');
      expect(await killWhile(done, 'insert into near_duplicate')).toBeLessThan(450);

      const { body } = await gateway.call('GET', `/admin/imports/${id}`, { token });
      expect(body.near_duplicates).toEqual({ state: 'done', checked: 150, total: 150, found: 150 });
      const { rows } = await gateway.deps.db.query(
        `select count(*)::int as pairs from near_duplicate where import_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ pairs: 150 }]);
    });
  });

  test('a cancelled search for near-duplicates ends soon, and keeps its results', async () => {
    const { id } = await importFile(gateway.deps.db, rowsOf(5_000));
    const read = async () => {
      const { body } = await gateway.call('GET', `/admin/imports/${id}`, { token });
      return body.near_duplicates as { state: string; checked: number };
    };
    start();
    await expect.poll(async () => (await read()).checked, { interval: 20 }).toBeGreaterThan(0);
    const path = `/admin/imports/${id}/near-duplicates/cancel`;
    const { status, body } = await gateway.call('POST', path, { token });
    expect(status).toBe(200);
    expect(body.near_duplicates).toMatchObject({ state: 'cancelled', total: 5_000 });
    await allConsumed(gateway.deps.db);
    expect(await read()).toEqual(body.near_duplicates);
    expect(body.near_duplicates.checked).toBeLessThan(5_000);
  });
});
