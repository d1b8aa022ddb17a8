import type { Transaction } from '#database/pool.ts';

/** So long before its end a learner is told. */
const NOTICE_DAYS = 3;

/**
 * Emits `service.ending` for accounts whose service ends soon: once for each end, and none while the
 * service is free. In batches, so that neither the transaction nor the outbox grows with the number
 * of learners; accounts that somebody else is changing come next time.
 *
 * @returns how many
 */
export async function findEndingServices(tx: Transaction, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with ending as (
       select account.id from account cross join settings
       where account.state = 'active' and settings.price_ore > 0
         and account.service_expires_at > clock_timestamp()
         and account.service_expires_at <= clock_timestamp() + make_interval(days => $2)
         and account.ending_mailed_for is distinct from account.service_expires_at
       order by account.service_expires_at limit $1
       for update of account skip locked
     ), told as (
       update account set ending_mailed_for = service_expires_at
       from ending where account.id = ending.id
       returning account.id, account.service_expires_at
     )
     insert into outbox (name, payload)
     select 'service.ending', jsonb_build_object(
       'account_id', id,
       'expires_at', to_char(service_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     from told`,
    [limit, NOTICE_DAYS],
  );
  return rowCount ?? 0;
}
