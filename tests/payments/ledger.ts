import type { Database } from '@proveklar/services/database/pool.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import type { TestIdentity } from '#support/identity.ts';
import { PASSWORD } from './learner.ts';
import { readTruths, type Truth } from './stripe-truth.ts';

/** A payment in our ledger, with its credit and receipts. */
export interface LedgerEntry {
  payment_intent_id: string;
  purpose: 'registration' | 'extension' | 'packet';
  state: 'open' | 'settled' | 'cancelled';
  email: string | null;
  account_id: string | null;
  account_uid: string | null;
  account_existed: boolean | null;
  payment_id: string;
  credits: number;
  days: number | null;
  days_taken_back: number | null;
  credited_at: Date | null;
  receipts: number;
}

export async function readLedger(db: Database): Promise<Map<string, LedgerEntry>> {
  const { rows } = await db.query<LedgerEntry>(
    `select payment.id as payment_id, payment_intent_id, purpose, payment.state, payment.email,
       payment.account_id, account.uid as account_uid, account_existed,
       (select count(*)::int from credit where payment_id = payment.id) as credits,
       credit.days, credit.days_taken_back, credit.credited_at,
       (select count(*)::int from receipt where payment_id = payment.id) as receipts
     from payment left join account on account.id = payment.account_id
       left join credit on credit.payment_id = payment.id
     where payment_intent_id is not null`,
  );
  return new Map(rows.map((row) => [row.payment_intent_id, row]));
}

/** Accounts whose end of access does not follow from their credits and Stripe's objects. */
async function wrongExpiries(db: Database, truths: ReadonlyMap<string, Truth>): Promise<string[]> {
  const { rows } = await db.query<{
    account_id: string;
    expires_ms: number | null;
    /** Null for the days of a code. */
    intent_id: string | null;
    days: number;
    credited_ms: number;
  }>(
    `select account.id as account_id, payment_intent_id as intent_id, credit.days,
       (extract(epoch from service_expires_at) * 1000)::float8 as expires_ms,
       (extract(epoch from credited_at) * 1000)::float8 as credited_ms
     from account join credit on credit.account_id = account.id
       left join payment on payment.id = credit.payment_id
     order by credited_at, credit.id`,
  );
  const wrong: string[] = [];
  for (const [account, credits] of Map.groupBy(rows, (row) => row.account_id)) {
    let running = 0;
    for (const { credited_ms, intent_id, days } of credits) {
      const truth = intent_id === null ? null : truths.get(intent_id)!;
      const left = truth ? truth.days - truth.takenBack : days;
      running = Math.max(running, credited_ms) + left * 86_400_000;
    }
    if (Math.abs(running - (credits[0]!.expires_ms ?? 0)) > 1) wrong.push(account);
  }
  return wrong;
}

/** The number of gaps and duplicates in the receipt numbers. */
export async function receiptGaps(db: Database): Promise<number> {
  const { rows } = await db.query<{ gaps: number }>(
    `select coalesce(max(number), 0)::int - count(*)::int
       + (select last_number::int from receipt_counter) - coalesce(max(number), 0)::int as gaps
     from receipt`,
  );
  return rows[0]!.gaps;
}

/** Paid registrations that did not become one account in which its learner can sign in. */
async function unusableRegistrations(
  db: Database,
  identity: TestIdentity,
  paid: LedgerEntry[],
): Promise<string[]> {
  const requests = await db.query<{ email: string }>('select email from password_request');
  const mailed = new Set(requests.rows.map(({ email }) => email));
  const problems: string[] = [];
  for (const { email, account_uid } of paid) {
    // Refunded in full, and then another registration took over the address.
    if (email?.endsWith('@invalid')) continue;
    const { rows } = await db.query<{ uid: string }>('select uid from account where email = $1', [
      email,
    ]);
    const user = await identity.findUser(email!);
    const canSignIn =
      mailed.has(email!) ||
      (await identity.signInWithPassword(email!, PASSWORD).then(
        () => true,
        () => false,
      ));
    if (rows.length !== 1 || user?.localId !== account_uid || rows[0]!.uid !== account_uid) {
      problems.push(`${String(email)}: ${rows.length} accounts, user ${String(user?.localId)}`);
    } else if (!canSignIn) problems.push(`${String(email)}: neither password nor link`);
  }
  return problems;
}

/** Our books beside Stripe's objects. */
export interface Comparison {
  /** All payments at Stripe. */
  truths: Truth[];
  /** The payments for days, without packets of codes, that Stripe has a success of, and those of our books. */
  paid: Truth[];
  booked: LedgerEntry[];
  /** Days. */
  credited: number;
  takenBack: number;
  unusable: string[];
  stale: string[];
  /** What is wrong: each value must be 0. */
  checks: Record<string, number>;
}

/** Compares our books with Stripe, once all is settled. */
export async function compareBooks(
  db: Database,
  stripe: StripeApi,
  identity: TestIdentity,
): Promise<Comparison> {
  const truths = new Map((await readTruths(stripe)).map((truth) => [truth.intentId, truth]));
  const ledger = await readLedger(db);
  const paid = [...truths.values()].filter(
    ({ succeeded, purpose }) => succeeded && purpose !== 'packet',
  );
  const booked = paid.flatMap(({ intentId }) => ledger.get(intentId) ?? []);
  const sum = (numbers: (number | null)[]) => numbers.reduce<number>((all, n) => all + (n ?? 0), 0);
  const unpaid = [...ledger.values()].filter(
    (row) => !truths.get(row.payment_intent_id)?.succeeded,
  );
  const registrations = booked.filter(({ purpose }) => purpose === 'registration');
  const unusable = await unusableRegistrations(db, identity, registrations);
  const stale = await wrongExpiries(db, truths);
  const credited = sum([...ledger.values()].map(({ days }) => days));
  const takenBack = sum([...ledger.values()].map((row) => row.days_taken_back));
  const checks = {
    'credited days not sold': credited - sum(paid.map(({ days }) => days)),
    'taken back, and should not be': takenBack - sum(paid.map((truth) => truth.takenBack)),
    'payments with wrong days': paid.filter((truth) => {
      const row = ledger.get(truth.intentId);
      return row?.days !== truth.days || row.days_taken_back !== truth.takenBack;
    }).length,
    missing: paid.filter(({ intentId }) => ledger.get(intentId)?.credits !== 1).length,
    double: [...ledger.values()].filter(({ credits, receipts }) => credits > 1 || receipts > 1)
      .length,
    'credited without payment': unpaid.filter(({ credits }) => credits > 0).length,
    'receipts missing': booked.filter(({ receipts }) => receipts !== 1).length,
    'receipt numbers left out': await receiptGaps(db),
    'unusable accounts': unusable.length,
    'wrong ends of service': stale.length,
  };
  return {
    truths: [...truths.values()],
    paid,
    booked,
    credited,
    takenBack,
    unusable,
    stale,
    checks,
  };
}
