import type { Transaction } from '#database/pool.ts';
import { ARCHIVE_COLUMNS } from '#questions/question-versions.ts';
import type { ChangeAction, ChangeRow } from './change.ts';

/** The questions that became another, and of retopic what topic each had. */
export interface Changed {
  ids: number[];
  topics: string[] | null;
}

interface Batch {
  ids: number[];
  /** What each had before, when a retopic is undone. */
  topics: string[] | null;
}

const set = (assignment: string, where: string) => `
  update question set ${assignment}
  where id in (select id from question where id = any ($1) and ${where} order by id
               for no key update)
  returning id`;

// Of two retired questions with one text, the newer comes back.
const RESTORE = set(
  'retired_at = null',
  `retired_at is not null
   and not exists (
     select from question other
     where other.language = question.language and other.text_key = question.text_key
       and (other.retired_at is null or (other.id > question.id and other.id = any ($1))))`,
);
const RETIRE = set('retired_at = now()', 'retired_at is null');
const VALIDATE = set('validated = true', 'not validated');
const UNVALIDATE = set('validated = false', 'validated');

const ACTIONS = { validate: VALIDATE, unvalidate: UNVALIDATE, retire: RETIRE, restore: RESTORE };
const OPPOSITES = {
  validate: 'unvalidate',
  unvalidate: 'validate',
  retire: 'restore',
  restore: 'retire',
} as const satisfies Partial<Record<ChangeAction, ChangeAction>>;

// Each is kept as the version that it was: quizzes that showed it go on showing that.
const RETOPIC = `
  with wanted as (select * from unnest($1::bigint[], $2::text[]) as wanted (id, topic)),
  present as (
    select question.*, wanted.topic as new_topic
    from question join wanted on wanted.id = question.id
    where question.topic <> wanted.topic and ($4::text is null or question.topic = $4)
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, $3 from present
  )
  update question set topic = present.new_topic, version = question.version + 1
  from present where question.id = present.id
  returning question.id, present.topic`;

/** Does to these questions what the change says. Those that are so already are left alone. */
export async function apply(tx: Transaction, change: ChangeRow, ids: number[]): Promise<Changed> {
  if (change.action !== 'retopic') return setState(tx, change.action, ids);
  const topics = ids.map(() => change.topic!);
  return retopic(tx, { ids, topics }, change.actor, null);
}

/** Takes back what the change did to these questions, unless it was changed again since. */
export async function takeBack(
  tx: Transaction,
  change: ChangeRow,
  { ids, topics }: Batch,
): Promise<void> {
  if (change.action !== 'retopic') await setState(tx, OPPOSITES[change.action], ids);
  else {
    const actor = change.undone_by ?? change.actor;
    await retopic(tx, { ids, topics: topics ?? [] }, actor, change.topic);
  }
}

async function setState(
  tx: Transaction,
  action: keyof typeof ACTIONS,
  ids: number[],
): Promise<Changed> {
  const { rows } = await tx.query<{ id: number }>(ACTIONS[action], [ids]);
  return { ids: rows.map((row) => row.id), topics: null };
}

/** @param only those whose topic is this one now; null for any */
async function retopic(
  tx: Transaction,
  { ids, topics }: { ids: number[]; topics: string[] },
  actor: string,
  only: string | null,
): Promise<Changed> {
  const { rows } = await tx.query<{ id: number; topic: string }>(RETOPIC, [
    ids,
    topics,
    actor,
    only,
  ]);
  return { ids: rows.map((row) => row.id), topics: rows.map((row) => row.topic) };
}
