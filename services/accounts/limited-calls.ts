import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import {
  type Limits,
  throwIfLimited,
  secondsUntilAllowed,
  acquireAccountLock,
} from '#limits/limits.ts';
import { requireActiveAccount } from './access.ts';

/** What costs more than a query: hundreds of quizzes are read, or the sign-in service is told. */
type LimitedCall = 'export' | 'profile_change';

interface LimitedDeps {
  db: Database;
  limits: Limits;
}

/** An export takes seconds. One whose gateway was killed does not keep the learner from the next. */
const BUSY_S = 60;

/**
 * Counts an export, and refuses one too many within the hour, or beside another.
 *
 * @returns what `endExport` is called with, whatever becomes of it
 * @throws AppError `rate_limited` with `retry_after_s`, `account_disabled`
 */
export async function beginExport({ db, limits }: LimitedDeps, accountId: string): Promise<string> {
  return countCall(db, { accountId, call: 'export', most: limits.exports, busyS: BUSY_S });
}

/** Lets the account have its next export. */
export async function endExport(db: Queryable, id: string): Promise<void> {
  await db.query('update limited_call set busy_until = null where id = $1', [id]);
}

/**
 * Counts a change of the profile, and refuses one too many within the hour.
 *
 * @throws AppError `rate_limited` with `retry_after_s`, `account_disabled`
 */
export async function countProfileChange(
  { db, limits }: LimitedDeps,
  accountId: string,
): Promise<void> {
  const most = limits.profileChanges;
  await countCall(db, { accountId, call: 'profile_change', most, busyS: null });
}

interface Counted {
  accountId: string;
  call: LimitedCall;
  /** Allowed within an hour. */
  most: number;
  busyS: number | null;
}

async function countCall(db: Database, counted: Counted): Promise<string> {
  const { accountId, call, busyS } = counted;
  // Refused before standing in line: a flood is to hold neither locks nor connections.
  throwIfLimited(await secondsToWait(db, counted));
  return withTransaction(db, async (tx) => {
    await acquireAccountLock(tx, accountId);
    await requireActiveAccount(tx, accountId);
    throwIfLimited(await secondsToWait(tx, counted));
    const { rows } = await tx.query<{ id: string }>(
      `insert into limited_call (account_id, call, busy_until)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3)) returning id`,
      [accountId, call, busyS],
    );
    return rows[0]!.id;
  });
}

/** How long it is until one more may be made; 0 when it may. */
async function secondsToWait(db: Queryable, { accountId, call, most }: Counted): Promise<number> {
  const own = 'account_id = $1 and call = $2';
  const { rows } = await db.query<Record<'often' | 'busy', number>>(
    `select ${secondsUntilAllowed('limited_call', 'created_at', own, 3)} as often,
       coalesce((
         select greatest(0, extract(epoch from max(busy_until) - clock_timestamp())::float8)
         from limited_call where ${own}), 0) as busy`,
    [accountId, call, most],
  );
  return Math.max(rows[0]!.often, rows[0]!.busy);
}

/** What an account did of it within the last hour or two, the newest first. */
export async function exportLimitedCalls(db: Queryable, accountId: string) {
  const { rows } = await db.query<{ call: LimitedCall; created_at: Date }>(
    'select call, created_at from limited_call where account_id = $1 order by created_at desc',
    [accountId],
  );
  return rows.map(({ call, created_at }) => ({ call, made_at: created_at.toISOString() }));
}

/** Forgets what counts no longer. */
export async function forgetLimitedCalls(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from limited_call where created_at < clock_timestamp() - interval '1 hour'`,
  );
}

/** Forgets all that an account did of it. */
export async function eraseLimitedCalls(db: Queryable, accountId: string): Promise<void> {
  await db.query('delete from limited_call where account_id = $1', [accountId]);
}
