import { type ExportedCredit, readAccess } from '#accounts/credit-ledger.ts';
import { readUser, type User, type UserDeps } from '#accounts/users.ts';
import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readLearning } from '#learning/read-learning.ts';
import { type ListedPayment, listPayments } from '#payments/overview.ts';

interface PersonQuiz {
  id: string;
  kind: 'drill' | 'practice_test';
  topic: string;
  state: 'open' | 'ended' | 'cancelled';
  started_at: Date;
  ended_at: Date | null;
}

interface PersonMail {
  id: string;
  kind: string;
  at: Date;
  state: 'sent' | 'refused' | 'waiting';
}

/** What support needs to help a learner. */
export interface Person {
  user: User;
  /** That they practise and when, not how well. */
  quizzes: PersonQuiz[];
  /** Newest first. */
  access: ExportedCredit[];
  /** Whether the learner lets support see how ready they are. */
  sharesProgress: boolean;
  /** Null without permission, and while there are too few answers. */
  readiness: { probability: number; low: number; high: number } | null;
  payments: ListedPayment[];
  mails: PersonMail[];
}

interface AccountRow {
  id: string;
  email: string;
  language: string;
  shares_progress: boolean;
}

/**
 * Reads a person for support. A user who never came here has no quizzes, payments and mails.
 *
 * @throws AppError `user_not_found`, `identity_provider_failed`
 */
export async function readPerson(deps: UserDeps, uid: string): Promise<Person> {
  const { db } = deps;
  const user = await readUser(deps, uid);
  if (!user) throw new AppError('user_not_found');
  const { rows } = await db.query<AccountRow>(
    `select account.id, email, language, coalesce(support_access, false) as shares_progress
     from account left join learner_plan on account_id = account.id
     where uid = $1 and state <> 'deleted'`,
    [uid],
  );
  const account = rows[0];
  if (!account) {
    const nothing = { quizzes: [], access: [], readiness: null, payments: [], mails: [] };
    return { user, sharesProgress: false, ...nothing };
  }
  const filter = { status: undefined, attention: false, search: undefined, before: undefined };
  const [quizzes, access, { payments }, mails, readiness] = await Promise.all([
    readQuizzes(db, account),
    readAccess(db, account.id),
    listPayments(db, { ...filter, accountId: account.id }),
    readMails(db, account),
    account.shares_progress ? readReadiness(db, account) : null,
  ]);
  return {
    user,
    quizzes,
    access: access.toReversed(),
    sharesProgress: account.shares_progress,
    readiness,
    payments,
    mails,
  };
}

async function readQuizzes(db: Database, { id }: AccountRow): Promise<PersonQuiz[]> {
  const { rows } = await db.query<PersonQuiz>(
    `select id, kind, topic, state, started_at, ended_at from quiz
     where account_id = $1 order by started_at desc limit 20`,
    [id],
  );
  return rows;
}

async function readMails(db: Database, { id, email }: AccountRow): Promise<PersonMail[]> {
  const { rows } = await db.query<PersonMail>(
    `select id, kind, coalesce(sent_at, refused_at, uuid_extract_timestamp(id)) as at,
       case when sent_at is not null then 'sent' when refused_at is not null then 'refused'
         else 'waiting' end as state
     from (
       select * from mail where account_id = $1
       union all
       select * from mail where email = $2) mail
     order by id desc limit 50`,
    [id, email],
  );
  return rows;
}

async function readReadiness(db: Database, { id, language }: AccountRow) {
  const { readiness } = await readLearning(db, id, language);
  return (
    readiness && {
      probability: readiness.probability,
      low: readiness.low,
      high: readiness.high,
    }
  );
}
