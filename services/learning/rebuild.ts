import { withAdvisoryLock } from '#database/advisory-lock.ts';
import type { Database } from '#database/pool.ts';
import { IS_SHOWN, rebuildAccount } from './record-answers.ts';

/**
 * Computes an account's memory now if the first pass has not reached it yet. So learners who come right after
 * the upgrade see all they have done.
 */
export async function ensureRebuilt(db: Database, accountId: string): Promise<void> {
  const { rowCount } = await db.query({
    name: 'learning-unbuilt',
    text: `select from learning_rebuild
           where completed_at is null and quizzes_since is null
             and (last_account_id is null or last_account_id < $1)`,
    values: [accountId],
  });
  if (rowCount === 1) await rebuildAccount(db, accountId);
}

const ACCOUNTS_AT_ONCE = 20;
const PASS_INTERVAL = '1 hour';
/** A drill may be open for a week before its next answer. */
const OVERLAP = '7 days';

// The key of the advisory lock. Any number will do that no other lock of the service uses.
const REBUILD_LOCK_KEY = 7_461_003;

/**
 * SQL over `account`: whether its answers are not those that its memory was computed from. Counting them takes a
 * small part of the time of computing it.
 */
const DIFFERS = `
  (select row(count(*), count(*) filter (where correct))
   from quiz join quiz_answer on quiz_id = quiz.id where account_id = account.id and ${IS_SHOWN})
  is distinct from
  (select row(coalesce(sum(times_shown), 0), coalesce(sum(times_right), 0))
   from learner_question where account_id = account.id)`;

/**
 * Computes the next accounts' memory from their answers. The first pass covers all accounts, so that answers
 * from before the migration count. Each later pass compares the accounts that practised since the one before:
 * it finds answers that a worker of the previous release counted, which knows no memory.
 *
 * Only one process at a time does it. A pass that is interrupted resumes after the last account, and answers go on
 * meanwhile.
 *
 * @returns whether there is more to do now
 */
export async function rebuildNext(db: Database, signal?: AbortSignal): Promise<boolean> {
  const hasMore = await withAdvisoryLock(db, REBUILD_LOCK_KEY, () => rebuildSome(db, signal));
  return hasMore ?? false;
}

async function rebuildSome(db: Database, signal?: AbortSignal): Promise<boolean> {
  await db.query(
    `update learning_rebuild
     set completed_at = null, last_account_id = null,
         quizzes_since = pass_started_at - interval '${OVERLAP}', pass_started_at = now()
     where completed_at < now() - interval '${PASS_INTERVAL}'`,
  );
  const { rows: passes } = await db.query<{ after: string | null; since: Date | null }>(
    `select last_account_id as after, quizzes_since as since from learning_rebuild
     where completed_at is null`,
  );
  const [pass] = passes;
  if (!pass) return false;
  const { rows: accounts } = await db.query<{ id: string; differs: boolean }>(
    `select id, $2::timestamptz is null or ${DIFFERS} as differs from account
     where ($1::uuid is null or id > $1) and state <> 'deleted'
       and ($2::timestamptz is null
            or exists (select from quiz where account_id = account.id and started_at >= $2))
     order by id limit ${ACCOUNTS_AT_ONCE}`,
    [pass.after, pass.since],
  );
  for (const { id, differs } of accounts) {
    if (signal?.aborted) return true;
    if (!differs) continue;
    await rebuildAccount(db, id);
    await db.query('update learning_rebuild set last_account_id = $1', [id]);
  }
  const isDone = accounts.length < ACCOUNTS_AT_ONCE;
  await db.query(
    `update learning_rebuild
     set last_account_id = coalesce($1, last_account_id),
         completed_at = case when $2 then clock_timestamp() end`,
    [accounts.at(-1)?.id ?? null, isDone],
  );
  return !isDone;
}
