import type { BankReleasesResponse, BankReleaseWork } from '@proveklar/contract/bank-releases.ts';
import { type Actor, nameOf, requireActiveActor } from '#audit/actor.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { notifyLive } from '#live/live.ts';
import { findLatestRelease } from '#questions/bank-release.ts';
import { applyRelease, planRelease, undoRelease, withBankLock } from './apply-release.ts';
import { InvalidRelease, readRelease } from './read-release.ts';

// A release of the bank as administrators apply and undo it in the portal. A worker does the work, so that it goes on
// after the administrator has left, and after a process was killed.

/** What the release in `dir` would change. */
export async function readPlan(db: Database, dir: string) {
  return planRelease(db, await readRelease(dir));
}

interface NewWork {
  action: 'apply' | 'undo';
  fingerprint?: string;
  release?: string;
  actor: Actor;
}

/**
 * Requests that the release of which the administrator saw the plan is applied.
 *
 * @param fingerprint of that plan
 * @throws AppError `bank_release_changed` when the folder has another one; `bank_release_running`;
 *   `account_disabled`, `admin_only`
 */
export async function requestApply(
  db: Database,
  { dir, fingerprint, actor }: { dir: string; fingerprint: string; actor: Actor },
): Promise<BankReleaseWork> {
  const release = await readRelease(dir);
  if (release.fingerprint !== fingerprint) throw new AppError('bank_release_changed');
  return withTransaction(db, (tx) => createWork(tx, { action: 'apply', fingerprint, actor }));
}

/**
 * Requests that a release is undone: only the last one can be, because the one before is based on other questions.
 *
 * @throws AppError `bank_release_not_found`; `bank_release_not_latest`; `bank_release_running`;
 *   `account_disabled`, `admin_only`
 */
export async function requestUndo(
  db: Database,
  { release, actor }: { release: string; actor: Actor },
): Promise<BankReleaseWork> {
  return withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query('select from bank_release where id = $1', [release]);
    if (rowCount === 0) throw new AppError('bank_release_not_found');
    if ((await findLatestRelease(tx)) !== release) throw new AppError('bank_release_not_latest');
    return createWork(tx, { action: 'undo', release, actor });
  });
}

async function createWork(
  tx: Transaction,
  { action, fingerprint, release, actor }: NewWork,
): Promise<BankReleaseWork> {
  // What changes is kept in the audit log by the worker, under the administrator's name.
  await requireActiveActor(tx, actor);
  const { rows } = await tx.query<WorkRow>(
    `insert into bank_release_work (action, fingerprint, release_id, requested_by)
     values ($1, $2, $3, $4) on conflict ((true)) where state = 'running' do nothing
     returning *`,
    [action, fingerprint ?? null, release ?? null, nameOf(actor)],
  );
  if (!rows[0]) throw new AppError('bank_release_running');
  await emit(tx, 'bank.work_requested', { work_id: rows[0].id });
  return toWork(rows[0]);
}

interface WorkRow {
  id: string;
  action: 'apply' | 'undo';
  fingerprint: string | null;
  release_id: string | null;
  requested_by: string;
  requested_at: Date;
  state: BankReleaseWork['state'];
  failure: BankReleaseWork['failure'];
  attempts: number;
  ended_at: Date | null;
}

function toWork(row: WorkRow): BankReleaseWork {
  const { id, action, requested_by, requested_at, state, failure, ended_at } = row;
  return {
    id,
    action,
    requested_by,
    requested_at: requested_at.toISOString(),
    state,
    failure,
    ended_at: ended_at?.toISOString() ?? null,
  };
}

const MAX_RELEASES = 20;

/** The releases that were applied, and the last request. */
export async function listReleases(db: Queryable): Promise<BankReleasesResponse> {
  const { rows: releases } = await db.query<
    Omit<BankReleasesResponse['releases'][number], 'applied_at' | 'undone_at'> & {
      applied_at: Date;
      undone_at: Date | null;
    }
  >(
    `select bank_release.id, applied_at, applied_by, undone_at,
            coalesce(question_import.imported, 0) as added,
            (count(change) filter (where action = 'updated'))::int as updated,
            (count(change) filter (where action = 'retired'))::int as retired
     from bank_release
     left join bank_release_change change on change.release_id = bank_release.id
     left join question_import on question_import.id = bank_release.import_id
     group by bank_release.id, question_import.id
     order by applied_at desc limit ${MAX_RELEASES}`,
  );
  const { rows: work } = await db.query<WorkRow>(
    'select * from bank_release_work order by requested_at desc limit 1',
  );
  return {
    releases: releases.map(({ applied_at, undone_at, ...release }) => ({
      ...release,
      applied_at: applied_at.toISOString(),
      undone_at: undone_at?.toISOString() ?? null,
    })),
    work: work[0] ? toWork(work[0]) : null,
  };
}

interface WorkOptions {
  dir: string;
  signal?: AbortSignal;
}

/** After this many attempts a request fails: its cause does not pass with time. */
const MAX_ATTEMPTS = 5;

/**
 * Does the work of a request. Idempotent, and continues what an interrupted call began.
 *
 * @param options.dir the folder of the release of this process
 * @param options.signal stops it after a part of the work
 * @returns false when another process applies or undoes a release
 * @throws the error of an attempt that is not the last; the signal's reason
 */
export async function runWork(db: Database, id: string, options: WorkOptions): Promise<boolean> {
  const done = await withBankLock(db, async () => {
    const { rows } = await db.query<WorkRow>(
      `update bank_release_work set attempts = attempts + 1 where id = $1 and state = 'running'
       returning *`,
      [id],
    );
    if (rows[0]) await attempt(db, rows[0], options);
    return true;
  });
  return done === true;
}

async function attempt(db: Database, work: WorkRow, { dir, signal }: WorkOptions): Promise<void> {
  const { id, fingerprint, release_id: release, requested_by: actor } = work;
  try {
    if (release !== null) await undoRelease(db, release, { actor, signal });
    else {
      const { questions, ...read } = await readRelease(dir);
      // The gateway that showed the plan was of another version.
      if (read.fingerprint !== fingerprint) return await endWork(db, id, 'other_release');
      await applyRelease(db, questions, { id, actor, signal });
    }
  } catch (error) {
    if (signal?.aborted) {
      await uncountAttempt(db, id);
      signal.throwIfAborted();
    }
    if (!(error instanceof InvalidRelease) && work.attempts < MAX_ATTEMPTS) throw error;
    await endWork(db, id, 'failed');
    throw error;
  }
  await endWork(db, id, null);
}

/** The worker was stopped from outside, so the attempt says nothing about the release. */
async function uncountAttempt(db: Database, id: string): Promise<void> {
  await db.query(
    `update bank_release_work set attempts = greatest(attempts - 1, 0)
     where id = $1 and state = 'running'`,
    [id],
  );
}

async function endWork(
  db: Database,
  id: string,
  failure: BankReleaseWork['failure'],
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.query(
      `update bank_release_work
       set state = $2, failure = $3, ended_at = clock_timestamp()
       where id = $1 and state = 'running'`,
      [id, failure === null ? 'completed' : 'failed', failure],
    );
    await notifyLive(tx, [{ topic: 'questions' }]);
  });
}
