import { type Administrator, nameOf, requireActiveActor } from '#audit/actor.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readBankQuestion } from './bank-question.ts';

/** An editor who is silent for this long has left the page, which reports every 15 s. */
const PRESENT_S = 40;

/** Another editor who has the page of the question open. */
interface Present {
  email: string;
  /** Whether there is typed text that is not saved. */
  writing: boolean;
}

/**
 * Notes that an editor has the page of a question open, and returns who else has. It keeps no one from editing: what two
 * editors write is kept apart by the version that they began with.
 *
 * @throws AppError `question_not_found`
 */
export async function notePresence(
  db: Database,
  {
    question,
    writing,
    actor,
  }: { question: number | string; writing: boolean; actor: Administrator },
): Promise<Present[]> {
  return withTransaction(db, async (tx) => {
    await requireActiveActor(tx, actor);
    const { id } = await readBankQuestion(tx, question);
    const { rowCount } = await tx.query(
      `insert into question_presence (question_id, email, writing)
       -- Locked as the foreign key will: a question that is deleted meanwhile is not found.
       select id, $2, $3 from question where id = $1 for key share
       on conflict (question_id, email) do update
         set writing = excluded.writing, seen_at = excluded.seen_at`,
      [id, nameOf(actor), writing],
    );
    if (rowCount === 0) throw new AppError('question_not_found');
    await tx.query(
      `delete from question_presence where (question_id, email) in (
         select question_id, email from question_presence
         where seen_at < clock_timestamp() - make_interval(secs => $1) for update skip locked)`,
      [PRESENT_S],
    );
    const { rows } = await tx.query<Present>(
      `select email, writing from question_presence
       where question_id = $1 and email <> $2
         and seen_at >= clock_timestamp() - make_interval(secs => $3)
       order by email`,
      [id, nameOf(actor), PRESENT_S],
    );
    return rows;
  });
}
