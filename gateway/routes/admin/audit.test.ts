import { beforeAll, describe, expect, test } from 'vitest';
import { forgetNames, recordAction, type Action } from '@proveklar/services/audit/record-action.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;

const record = (actions: Action[]) =>
  withTransaction(gateway.deps.db, async (tx) => {
    for (const action of actions) await recordAction(tx, action);
  });
const read = async (query = '') =>
  (await gateway.call('GET', `/admin/audit${query}`, { token })).body;

beforeAll(async () => {
  const email = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
  expect(await read()).toEqual({ entries: [], next_before: null, actions: [], actors: [] });
  const numbered = Array.from({ length: 120 }, (_, n) => ({
    actor: n % 2 ? 'Anna@example.no' : 'berit@example.no',
    action: n % 3 ? ('question.edited' as const) : ('question.deleted' as const),
    subject: String(n),
    details: { n },
  }));
  await record(numbered);
});

describe('the audit log', () => {
  test('the audit log is paged from newest to oldest, each entry once', async () => {
    const seen: number[] = [];
    let before: string | null = '';
    while (before !== null) {
      const page = await read(before && `?before=${before}`);
      expect(page.entries.length).toBeLessThanOrEqual(50);
      seen.push(...page.entries.map(({ details }: { details: { n: number } }) => details.n));
      before = page.next_before;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => 119 - n));
  });

  test('the audit log is filtered by actor, action and subject', async () => {
    const numbers = async (query: string) =>
      (await read(query)).entries.map(({ subject }: { subject: string }) => Number(subject));
    expect((await numbers('?actor=anna@example.no')).every((n: number) => n % 2 === 1)).toBe(true);
    expect(await numbers('?action=question.deleted')).toHaveLength(40);
    const both = await numbers('?actor=ANNA@example.no&action=question.deleted');
    expect(both).toHaveLength(20);
    expect(both.every((n: number) => n % 6 === 3)).toBe(true);
    expect(await numbers('?subject=7')).toEqual([7]);
    expect(await numbers('?subject=7&action=question.deleted')).toEqual([]);
  });

  test('an export is in the log, once for all its pages', async () => {
    const { entries, next_before } = await read('?search=berit&limit=1&export=true');
    expect(entries).toHaveLength(1);
    await read(`?search=berit&limit=1&export=true&before=${next_before}`);
    const exported = (await read('?action=audit.exported')).entries;
    expect(exported).toMatchObject([{ subject: 'csv', details: { filter: { search: 'berit' } } }]);
    await gateway.deps.db.query(`delete from audit_entry where action = 'audit.exported'`);
  });

  test('the audit log is filtered by days in Oslo, and searched in words and details', async () => {
    const { db } = gateway.deps;
    const actor = 'dina@example.no';
    const note = 'Ba om Ny faktura';
    await record([
      { actor, action: 'user.disabled', subject: 'kari@example.no', details: { note } },
      { actor, action: 'user.enabled', subject: 'ola@example.no' },
    ]);
    await db.query(
      `update audit_entry set at = case action when 'user.disabled' then '2025-03-31T21:59:00Z'
         else '2025-03-31T22:00:00Z' end::timestamptz where actor = $1`,
      [actor],
    );
    const subjects = async (query: string) =>
      (await read(query)).entries.map(({ subject }: { subject: string }) => subject);
    expect(await subjects('?from=2025-03-31&to=2025-03-31')).toEqual(['kari@example.no']);
    expect(await subjects('?from=2025-04-01&to=2025-04-01')).toEqual(['ola@example.no']);
    expect(await subjects('?search=ny%20FAKTURA')).toEqual(['kari@example.no']);
    expect(await subjects('?search=dina@')).toEqual(['ola@example.no', 'kari@example.no']);
    // The screen asks for the actions whose words have the text.
    expect(await subjects('?search=deaktiverte&search_actions=user.disabled')).toEqual([
      'kari@example.no',
    ]);
    expect(await subjects('?search_actions=user.disabled&actor=stranger@example.no')).toEqual([]);
    expect(await subjects('?search=100%25')).toEqual([]);
    // A date to the format, but not to PostgreSQL.
    expect((await read('?from=0000-01-01')).details).toEqual({
      field: 'from',
      part: 'querystring',
    });
    expect(await subjects('?search=kari_example')).toEqual([]);
    const { entries, next_before } = await read('?search=dina@&limit=1');
    expect([entries.length, next_before]).toEqual([1, entries[0].id]);
    await db.query('delete from audit_entry where actor = $1', [actor]);
  });

  test('names in the audit log are removed after two years, actions are kept', async () => {
    const { db } = gateway.deps;
    const actor = 'carla@example.no';
    const noted = { days: 3, accounts: 1, note: 'for Kari' };
    const kari = 'kari@example.no';
    const filter = { actor: kari, subject: kari, search: 'kari', action: 'days.granted' };
    await record([
      { actor, action: 'user.disabled', subject: 'kari@example.no' },
      { actor, action: 'user.deleted', subject: 'Xk2uid' },
      { actor, action: 'days.granted', subject: 'kari@example.no', details: noted },
      { actor, action: 'days.granted', subject: 'active', details: { days: 1 } },
      { actor, action: 'question.edited', subject: '7001', details: { version: 2 } },
      { actor, action: 'audit.exported', subject: 'csv', details: { filter } },
    ]);
    await db.query(
      `update audit_entry set at = clock_timestamp() - interval '2 years 1 minute' where actor = $1`,
      [actor],
    );
    const young = { actor, action: 'user.enabled' as const, subject: 'kari@example.no' };
    await record([young]);
    await db.query(
      `update audit_entry set at = clock_timestamp() - interval '729 days' where action = $1`,
      [young.action],
    );
    await withTransaction(db, forgetNames);
    const { rows } = await db.query(
      `select actor, action, subject, details from audit_entry where actor in ($1, '–') order by id`,
      [actor],
    );
    await db.query(`delete from audit_entry where actor in ($1, '–')`, [actor]);
    expect(rows).toEqual([
      { actor: '–', action: 'user.disabled', subject: '–', details: {} },
      { actor: '–', action: 'user.deleted', subject: '–', details: {} },
      { actor: '–', action: 'days.granted', subject: '–', details: { days: 3, accounts: 1 } },
      { actor: '–', action: 'days.granted', subject: 'active', details: { days: 1 } },
      { actor: '–', action: 'question.edited', subject: '7001', details: { version: 2 } },
      {
        actor: '–',
        action: 'audit.exported',
        subject: 'csv',
        details: { filter: { action: 'days.granted' } },
      },
      { ...young, details: {} },
    ]);
  });

  test('the audit log lists the values of its filters', async () => {
    expect(await read('?subject=7')).toMatchObject({
      actions: ['question.deleted', 'question.edited'],
      actors: ['anna@example.no', 'berit@example.no'],
    });
  });

  test.each(['?before=x', '?actor=', '?unknown=1'])('the audit log refuses %s', async (query) => {
    const { status } = await gateway.call('GET', `/admin/audit${query}`, { token });
    expect(status).toBe(400);
  });
});
