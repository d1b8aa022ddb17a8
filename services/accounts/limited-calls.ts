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

/** Calls that cost more than a query, or with which a code could be guessed. */
type LimitedCall = 'export' | 'profile_change' | 'code';

interface LimitedDeps {
  db: Database;
  limits: Limits;
}

/** Lease of an export, which takes seconds: it expires if the gateway is killed. */
const EXPORT_LEASE_S = 60;

/**
 * Counts an export against the rate limit, and takes a lease on the account's only concurrent export.
 *
 * @returns the id for `endExport`, which must be called when the export succeeds or fails
 * @throws AppError `rate_limited` with `retry_after_s`, `account_disabled`
 */
export async function beginExport({ db, limits }: LimitedDeps, accountId: string): Promise<string> {
  return countCall(db, { accountId, call: 'export', max: limits.exports, leaseS: EXPORT_LEASE_S });
}

/** Releases the lease, so that the account can start its next export. */
export async function endExport(db: Queryable, id: string): Promise<void> {
  await db.query('update limited_call set busy_until = null where id = $1', [id]);
}

/**
 * Counts a change of the profile against the rate limit.
 *
 * @throws AppError `rate_limited` with `retry_after_s`, `account_disabled`
 */
export async function countProfileChange(
  { db, limits }: LimitedDeps,
  accountId: string,
): Promise<void> {
  const max = limits.profileChanges;
  await countCall(db, { accountId, call: 'profile_change', max, leaseS: null });
}

/**
 * Counts an attempt to redeem a code, by the limit on an account's payments.
 *
 * @throws AppError `rate_limited` with `retry_after_s`, `account_disabled`
 */
export async function countRedeeming(
  { db, limits }: LimitedDeps,
  accountId: string,
): Promise<void> {
  await countCall(db, { accountId, call: 'code', max: limits.perEmail, leaseS: null });
}

interface CallToCount {
  accountId: string;
  call: LimitedCall;
  /** Allowed within an hour. */
  max: number;
  /** Seconds of a lease, until which another call is refused; null for none. */
  leaseS: number | null;
}

async function countCall(db: Database, counted: CallToCount): Promise<string> {
  const { accountId, call, leaseS } = counted;
  // Checked before the lock: refused calls must hold neither locks nor connections.
  throwIfLimited(await secondsToWait(db, counted));
  return withTransaction(db, async (tx) => {
    await acquireAccountLock(tx, accountId);
    await requireActiveAccount(tx, accountId);
    throwIfLimited(await secondsToWait(tx, counted));
    const { rows } = await tx.query<{ id: string }>(
      `insert into limited_call (account_id, call, busy_until)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3)) returning id`,
      [accountId, call, leaseS],
    );
    return rows[0]!.id;
  });
}

/** Seconds until the next call is allowed; 0 when it is allowed now. */
async function secondsToWait(
  db: Queryable,
  { accountId, call, max }: CallToCount,
): Promise<number> {
  const own = 'account_id = $1 and call = $2';
  const { rows } = await db.query<Record<'rate_limit' | 'lease', number>>(
    `select ${secondsUntilAllowed('limited_call', 'created_at', own, 3)} as rate_limit,
       coalesce((
         select greatest(0, extract(epoch from max(busy_until) - clock_timestamp())::float8)
         from limited_call where ${own}), 0) as lease`,
    [accountId, call, max],
  );
  return Math.max(rows[0]!.rate_limit, rows[0]!.lease);
}

/** The counted calls of an account, of the last hour or two, newest first. */
export async function exportLimitedCalls(db: Queryable, accountId: string) {
  const { rows } = await db.query<{ call: LimitedCall; created_at: Date }>(
    'select call, created_at from limited_call where account_id = $1 order by created_at desc',
    [accountId],
  );
  return rows.map(({ call, created_at }) => ({ call, made_at: created_at.toISOString() }));
}

/** Deletes calls that no longer count. */
export async function forgetLimitedCalls(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from limited_call where created_at < clock_timestamp() - interval '1 hour'`,
  );
}

/** Deletes the counted calls of an account. */
export async function eraseLimitedCalls(db: Queryable, accountId: string): Promise<void> {
  await db.query('delete from limited_call where account_id = $1', [accountId]);
}
