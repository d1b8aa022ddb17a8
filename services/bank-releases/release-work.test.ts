import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withAdvisoryLock } from '#database/advisory-lock.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow } from '@proveklar/tests/support/imports.ts';
import { applyRelease } from './apply-release.ts';
import { readRelease } from './read-release.ts';
import { listReleases, readPlan, requestApply, requestUndo, runWork } from './release-work.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';

let dir = '';
beforeEach(async () => {
  await emptyTables(
    database.pool,
    'question',
    'question_import',
    'question_change',
    'bank_question',
    'bank_release',
    'bank_release_work',
    'outbox',
  );
  dir = await mkdtemp(join(tmpdir(), 'bank-'));
  await release([fileRow('A?', { group: 'a-001' }), fileRow('B?', { group: 'a-002' })]);
});
afterEach(() => rm(dir, { recursive: true }));

const release = (rows: object[]) => writeFile(join(dir, 'a.no.json'), JSON.stringify(rows));

async function request() {
  const { fingerprint } = await readRelease(dir);
  return requestApply(database.pool, { dir, fingerprint, actor: ADMIN });
}

async function apply() {
  const work = await request();
  expect(await runWork(database.pool, work.id, { dir })).toBe(true);
  return work;
}

async function questions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ known: string }>(
    `select question || case when retired_at is not null then ' retired'
       when validated then ' valid' else ' pending' end as known from question order by id`,
  );
  return rows.map(({ known }) => known);
}

test('a requested release is applied and undone by a worker, under the name of who asked', async () => {
  expect(await readPlan(database.pool, dir)).toMatchObject({ added: 2, updated: 0 });
  const { id } = await request();
  expect(await listReleases(database.pool)).toMatchObject({
    releases: [],
    work: { id, action: 'apply', state: 'running', requested_by: ADMIN, ended_at: null },
  });
  const { rows: events } = await database.pool.query(
    `select payload from outbox where name = 'bank.work_requested'`,
  );
  expect(events).toEqual([{ payload: { work_id: id } }]);
  await runWork(database.pool, id, { dir });
  expect(await questions()).toEqual(['A? valid', 'B? valid']);
  expect(await listReleases(database.pool)).toMatchObject({
    releases: [{ id, applied_by: ADMIN, added: 2, updated: 0, retired: 0, undone_at: null }],
    work: { id, state: 'completed', failure: null, ended_at: expect.any(String) },
  });

  await release([fileRow('A nå?', { group: 'a-001' }), fileRow('C?', { group: 'a-003' })]);
  const second = await apply();
  expect(await questions()).toEqual(['A nå? valid', 'B? retired', 'C? valid']);
  const { releases } = await listReleases(database.pool);
  expect(releases.map(({ id: one }) => one)).toEqual([second.id, id]);
  expect(releases[0]).toMatchObject({ added: 1, updated: 1, retired: 1 });

  const undo = await requestUndo(database.pool, { release: second.id, actor: ADMIN });
  await runWork(database.pool, undo.id, { dir });
  expect(await questions()).toEqual(['A? valid', 'B? valid']);
  expect(await listReleases(database.pool)).toMatchObject({
    releases: [
      { id: second.id, undone_at: expect.any(String) },
      { id, undone_at: null },
    ],
    work: { id: undo.id, action: 'undo', state: 'completed' },
  });
  const { rows: audit } = await database.pool.query(
    `select action, subject from audit_entry where actor = $1 and action like 'bank.%' order by at`,
    [ADMIN],
  );
  expect(audit).toEqual([
    { action: 'bank.applied', subject: id },
    { action: 'bank.applied', subject: second.id },
    { action: 'bank.undone', subject: second.id },
  ]);
});

test('another release than the administrator saw is not applied', async () => {
  const { fingerprint } = await readRelease(dir);
  const { id } = await request();
  await release([fileRow('C?', { group: 'a-001' })]);
  await expect(
    requestApply(database.pool, { dir, fingerprint, actor: ADMIN }),
  ).rejects.toMatchObject({ code: 'bank_release_changed' });
  // The worker is of another version than the gateway was.
  await runWork(database.pool, id, { dir });
  expect(await questions()).toEqual([]);
  expect((await listReleases(database.pool)).work).toMatchObject({
    state: 'failed',
    failure: 'other_release',
  });
});

test('one request at a time, and only the last release can be undone', async () => {
  const first = await apply();
  await release([fileRow('A nå?', { group: 'a-001' })]);
  const second = await apply();
  const undo = (id: string) => requestUndo(database.pool, { release: id, actor: ADMIN });
  await expect(undo(first.id)).rejects.toMatchObject({ code: 'bank_release_not_latest' });
  await expect(undo(crypto.randomUUID())).rejects.toMatchObject({
    code: 'bank_release_not_found',
  });
  const requested = await Promise.allSettled([undo(second.id), undo(second.id), request()]);
  expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of requested) {
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({ code: 'bank_release_running' });
  }
});

test('a worker that finds another process at work on the bank leaves the request for later', async () => {
  const { id } = await request();
  // The key of the lock, as another process has it.
  await withAdvisoryLock(database.pool, 7_461_002, async () => {
    expect(await runWork(database.pool, id, { dir })).toBe(false);
  });
  expect(await questions()).toEqual([]);
  expect(await runWork(database.pool, id, { dir })).toBe(true);
  expect(await questions()).toEqual(['A? valid', 'B? valid']);
});

test('work that was interrupted between its steps continues, as one release', async () => {
  await apply();
  await release([fileRow('A nå?', { group: 'a-001' }), fileRow('C?', { group: 'a-003' })]);
  const { id } = await request();
  const { questions: rows } = await readRelease(dir);
  // The worker is killed after the update: the import of the new questions is missing.
  await applyRelease(database.pool, rows.slice(0, 1), { id, actor: ADMIN });
  expect(await questions()).toEqual(['A nå? valid', 'B? retired']);
  await runWork(database.pool, id, { dir });
  expect(await questions()).toEqual(['A nå? valid', 'B? retired', 'C? valid']);
  const undo = await requestUndo(database.pool, { release: id, actor: ADMIN });
  // The same for an undo: the release is marked, and its import is still there.
  await database.pool.query('update bank_release set undone_at = now() where id = $1', [id]);
  await runWork(database.pool, undo.id, { dir });
  expect(await questions()).toEqual(['A nå? valid', 'B? retired']);
});

test('work that its worker stops is not given up, however often, and is applied later', async () => {
  const { id } = await request();
  const reason = new Error('the process stops');
  for (let stops = 0; stops < 10; stops += 1) {
    const stopped = runWork(database.pool, id, { dir, signal: AbortSignal.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
  }
  expect((await listReleases(database.pool)).work).toMatchObject({ state: 'running' });
  await runWork(database.pool, id, { dir });
  expect(await questions()).toEqual(['A? valid', 'B? valid']);
  expect(await listReleases(database.pool)).toMatchObject({
    releases: [{ id, added: 2 }],
    work: { state: 'completed' },
  });

  const undo = await requestUndo(database.pool, { release: id, actor: ADMIN });
  for (let stops = 0; stops < 10; stops += 1) {
    const stopped = runWork(database.pool, undo.id, { dir, signal: AbortSignal.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
  }
  await runWork(database.pool, undo.id, { dir });
  expect(await questions()).toEqual([]);
  expect((await listReleases(database.pool)).work).toMatchObject({ state: 'completed' });
});

test('a release with an invalid question is refused, and the request fails', async () => {
  const { id } = await request();
  const { fingerprint } = await readRelease(dir);
  await release([fileRow('A?', { group: 'a-001', topic: ' ' })]);
  await expect(readPlan(database.pool, dir)).rejects.toThrow(
    'The question a-001 is not valid: topic is blank',
  );
  await expect(runWork(database.pool, id, { dir })).rejects.toThrow('topic is blank');
  expect((await listReleases(database.pool)).work).toMatchObject({ failure: 'failed' });
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  // The queue tries the job again: the request has ended.
  expect(await runWork(database.pool, id, { dir })).toBe(true);
});

test('the fingerprint of a release covers its pictures', async () => {
  await cp(join(import.meta.dirname, '../../local/seed/questions/images'), join(dir, 'images'), {
    recursive: true,
  });
  const image = 'images/flagg-norden.svg';
  await release([fileRow('A?', { group: 'a-001', image, image_alt: 'Et flagg' })]);
  const before = await readRelease(dir);
  await writeFile(join(dir, image), (await readFile(join(dir, image), 'utf8')).replace('>', ' >'));
  const after = await readRelease(dir);
  expect(after.fingerprint).not.toBe(before.fingerprint);
});
