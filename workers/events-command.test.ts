import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { handleRejected } from './events-command.ts';

const database = useTestDatabase();
const events = (...args: string[]) => handleRejected(args, async () => database.pool);

async function reject(queue: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into rejected_event (event_id, name, queue, batch_id, payload, reason, sqlstate)
     values ($1, 'payment.succeeded', $2, $1, '{"a": 1}', 'too long', '22001') returning id`,
    [randomUUID(), queue],
  );
  return rows[0]!.id;
}

const states = async () => {
  const { rows } = await database.pool.query<{ state: string; closed_by: string | null }>(
    'select state, closed_by from rejected_event order by id',
  );
  return rows.map(({ state, closed_by }) => `${state} ${closed_by ?? ''}`.trim());
};

test('the events command needs no variable but DATABASE_URL', async () => {
  const script = join(import.meta.dirname, 'events-command.ts');
  const env = { DATABASE_URL: database.url };
  const run = promisify(execFile)(process.execPath, [script, 'retry', '999'], { env });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^there is no event 999\nNothing was changed/),
  });
});

test('the events command lists, retries and dismisses events, and reports wrong calls', async () => {
  expect(await events('list')).toEqual({ code: 0, text: 'No rejected event matches.\n' });
  const [mail, live, other] = [await reject('mail'), await reject('live'), await reject('live')];

  const { text: listed } = await events('list', '--queue', 'mail');
  expect(listed).toContain(`${mail}  payment.succeeded, queue mail, rejected`);
  expect(listed).toContain('too long (SQLSTATE 22001)');
  expect(listed).not.toContain('queue live');
  const lines = (await events('list', '--json')).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).payload)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);

  expect(await events('dismiss', String(mail))).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^dismiss needs --reason/),
  });
  expect(await events('retry')).toMatchObject({ code: 2 });
  expect(await events('retry', 'x')).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^"x" is not the number of an event/),
  });
  expect(await events('delete', '1')).toMatchObject({ code: 2 });
  expect(await events('retry', String(mail), '999')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^there is no event 999\nNothing was changed/),
  });
  expect(await states()).toEqual(['open', 'open', 'open']);

  const dismissed = await events(
    'dismiss',
    String(mail),
    '--reason',
    'sent by hand',
    '--by',
    'Ola',
  );
  expect(dismissed).toEqual({ code: 0, text: `Dismissed: ${mail}.\n` });
  expect(await events('retry', String(live))).toMatchObject({ code: 0 });
  expect(await events('retry', '--all', '--queue', 'mail')).toMatchObject({
    text: 'No rejected event matches.\n',
  });
  expect(await events('retry', '--all')).toMatchObject({
    code: 0,
    text: expect.stringMatching(`^Handed to their queues again: ${other}\\.`),
  });
  expect(await states()).toEqual(['dismissed Ola', 'retried operator', 'retried operator']);
  expect((await events('list', '--closed')).text).toContain('dismissed by Ola: sent by hand');
  const { rows } = await database.pool.query('select action, actor from audit_entry order by id');
  expect(rows).toEqual([
    { action: 'event.dismissed', actor: 'ola' },
    { action: 'event.retried', actor: 'operator' },
    { action: 'event.retried', actor: 'operator' },
  ]);
  expect((await events('--help')).text).toContain('npm run events -- retry');
});
