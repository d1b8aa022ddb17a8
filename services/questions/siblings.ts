import type { Actor } from '#audit/actor.ts';
import { nameOf } from '#audit/actor.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import {
  type BankQuestion,
  listVersions,
  type QuestionVersion,
  readBankQuestion,
  readBankQuestions,
} from './bank-question.ts';
import { IS_VISIBLE } from './question-filter.ts';
import { recordQuestionAction } from './record-question-action.ts';

/** The same question in another language. */
interface Sibling {
  question: BankQuestion;
  /** What it said when the two were last in line; null when it still says so. */
  before: QuestionVersion | null;
}

/**
 * The same question in other languages, by language, each with what it said before, if it was changed since this
 * question was. They were last in line when an editor said so, or when this question was last changed.
 *
 * @throws AppError `question_not_found`
 */
export async function listSiblings(db: Queryable, question: number | string): Promise<Sibling[]> {
  const own = await readBankQuestion(db, question);
  if (own.group === null) return [];
  const { rows } = await db.query<{ id: number; checked_at: Date | null }>(
    `select id, question_alignment.checked_at from question
     left join question_alignment on question_id = $2 and sibling_id = question.id
     where translation_group = $1 and id <> $2 and ${IS_VISIBLE}
     order by retired_at is not null, language, id`,
    [own.group, own.id],
  );
  const siblings = await readBankQuestions(
    db,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    siblings.map(async (sibling, place) => {
      const checkedAt = rows[place]!.checked_at?.getTime() ?? 0;
      const inLineAt = Math.max(Date.parse(own.updated_at ?? own.created_at), checkedAt);
      return { question: sibling, before: await contentAt(db, sibling, inLineAt) };
    }),
  );
}

/** What a question said at a time, if it says something else now. */
async function contentAt(
  db: Queryable,
  { id, version, updated_at: updatedAt }: BankQuestion,
  time: number,
): Promise<QuestionVersion | null> {
  if (updatedAt === null || Date.parse(updatedAt) <= time) return null;
  const versions = await listVersions(db, id);
  // One that was written later than that is compared with how it began.
  const then = versions.find((one) => Date.parse(one.created_at) <= time) ?? versions.at(-1);
  return then && then.version !== version ? then : null;
}

interface Alignment {
  question: number | string;
  /** Its id. */
  sibling: number;
  actor: Actor;
}

/**
 * Records that an editor has compared two translations, and that they say the same now. Safe to repeat.
 *
 * @throws AppError `question_not_found`, also when one is not a translation of the other
 */
export async function markAligned(
  db: Database,
  { question, sibling, actor }: Alignment,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { id, group } = await readBankQuestion(tx, question);
    const { rowCount } = await tx.query(
      `insert into question_alignment (question_id, sibling_id, checked_by)
       select one.question_id, one.sibling_id, $4
       from (values ($1::bigint, $2::bigint), ($2, $1)) as one (question_id, sibling_id)
       where exists (
         select from question where id = $2 and id <> $1 and translation_group = $3 and ${IS_VISIBLE})
       on conflict (question_id, sibling_id) do update
         set checked_at = excluded.checked_at, checked_by = excluded.checked_by`,
      [id, sibling, group, nameOf(actor)],
    );
    if (rowCount === 0) throw new AppError('question_not_found');
    const details = { sibling };
    await recordQuestionAction(tx, {
      actor,
      action: 'question.aligned',
      subject: String(id),
      details,
    });
  });
}
