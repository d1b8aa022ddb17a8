import { isDeepStrictEqual } from 'node:util';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { ARCHIVE_COLUMNS, type BankQuestion, IS_USED, readBankQuestion } from './bank-question.ts';
import { IS_VISIBLE } from './question-filter.ts';
import { checkRow, tidyTopic } from './question-row.ts';

/** What an administrator can write. */
type QuestionContent = Pick<
  LockedQuestion,
  | 'question'
  | 'answer'
  | 'incorrect'
  | 'topic'
  | 'explanation'
  | 'source_url'
  | 'checked_at'
  | 'tags'
>;

const FIELDS = [
  'question',
  'answer',
  'incorrect',
  'topic',
  'explanation',
  'source_url',
  'checked_at',
  'tags',
] as const satisfies (keyof QuestionContent)[];

/** A quiz does not show these: changing them makes no version. */
const UNSEEN = new Set<string>(['checked_at', 'tags']);

interface Edit {
  /** Its id or uuid. */
  question: number | string;
  /** The version that the edit began with. */
  version: number;
  content: QuestionContent;
  actor: Actor;
}

/**
 * Writes a question anew. What it was is kept as a version, which quizzes that showed it go on
 * showing. It stays validated if it was.
 *
 * @returns the question as it is now
 * @throws AppError `question_not_found`; `question_changed` with the question as it is;
 *   `validation_failed` with the faults of an import row; `question_duplicate` with the other one
 */
export async function editQuestion(db: Database, edit: Edit): Promise<BankQuestion> {
  return write(db, edit.question, edit.actor, async (tx, was) => {
    if (was.version === edit.version) return edit.content;
    const question = await readBankQuestion(tx, was.id);
    throw new AppError('question_changed', { details: { version: was.version, question } });
  });
}

/**
 * Puts a question under another topic. The errors are those of `editQuestion`.
 *
 * @returns the question as it is now
 */
export async function changeTopic(
  db: Database,
  { question, topic, actor }: { question: number | string; topic: string; actor: Actor },
): Promise<BankQuestion> {
  return write(db, question, actor, async (_tx, was) => ({ ...was, topic }));
}

export interface LockedQuestion {
  id: number;
  version: number;
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  tags: string[];
  validated: boolean;
  retired: boolean;
}

async function write(
  db: Database,
  question: number | string,
  actor: Actor,
  contentFor: (tx: Transaction, was: LockedQuestion) => Promise<QuestionContent>,
): Promise<BankQuestion> {
  let text = { language: '', question: '' };
  try {
    return await withTransaction(db, async (tx) => {
      const was = await lockQuestion(tx, question);
      const content = checked(was.language, await contentFor(tx, was));
      text = { language: was.language, question: content.question };
      await store(tx, was, content, actor);
      return readBankQuestion(tx, was.id);
    });
  } catch (error) {
    throw isDuplicateText(error) ? await duplicateOf(db, text) : error;
  }
}

/** The content as it is stored, if it could be an import's row. */
function checked(language: string, content: QuestionContent): QuestionContent {
  const { source_url, checked_at } = content;
  const explanation = content.explanation?.trim() ? content.explanation : null;
  const result = checkRow({
    language,
    topic: content.topic,
    question: content.question,
    answer: content.answer,
    incorrect: content.incorrect,
    tags: content.tags,
    ...(explanation !== null && { explanation }),
    ...(source_url !== null && { source_url }),
    ...(checked_at !== null && { checked_at }),
  });
  if ('faults' in result) {
    const [{ field, reason } = { field: '', reason: '' }] = result.faults;
    throw new AppError('validation_failed', {
      message: `${field || 'The question'} is not valid: ${reason}`,
      details: { field, faults: result.faults },
    });
  }
  const { topic, question } = content;
  return { ...content, topic: tidyTopic(topic), question: question.trim(), explanation };
}

async function store(
  tx: Transaction,
  was: LockedQuestion,
  content: QuestionContent,
  actor: Actor,
): Promise<void> {
  const fields = FIELDS.filter((field) => !isDeepStrictEqual(was[field], content[field]));
  if (fields.length === 0) return;
  const isNewVersion = fields.some((field) => !UNSEEN.has(field));
  if (isNewVersion) {
    await tx.query(
      `insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
       select id, ${ARCHIVE_COLUMNS}, $2 from question where id = $1`,
      [was.id, nameOf(actor)],
    );
  }
  const version = was.version + Number(isNewVersion);
  await tx.query(
    `update question set (${FIELDS.join(', ')}, version) =
       (${FIELDS.map((_field, index) => `$${index + 3}`).join(', ')}, $2)
     where id = $1`,
    [was.id, version, ...FIELDS.map((field) => content[field])],
  );
  await recordAction(tx, {
    actor,
    action: 'question.edited',
    subject: String(was.id),
    details: { version, fields },
  });
}

interface Wish {
  /** Its id or uuid. */
  question: number | string;
  actor: Actor;
}

/**
 * Lets quizzes draw a question, or no more. May be repeated.
 *
 * @throws AppError `question_not_found`
 */
export async function validateQuestion(
  db: Database,
  { question, actor, validated }: Wish & { validated: boolean },
): Promise<BankQuestion> {
  return withTransaction(db, async (tx) => {
    const { id, validated: before } = await lockQuestion(tx, question);
    if (before !== validated) {
      await tx.query('update question set validated = $2 where id = $1', [id, validated]);
      const action = validated ? 'question.validated' : 'question.unvalidated';
      await recordAction(tx, { actor, action, subject: String(id) });
    }
    return readBankQuestion(tx, id);
  });
}

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Deletes a question that no learner met, and retires another: histories stay readable, and it can be
 * restored.
 *
 * @throws AppError `question_not_found`
 */
export async function deleteQuestion(db: Database, wish: Wish): Promise<{ retired: boolean }> {
  try {
    return await withTransaction(db, (tx) => deleteOrRetire(tx, wish));
  } catch (error) {
    // A quiz drew it at this moment: now it is used.
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return withTransaction(db, (tx) => deleteOrRetire(tx, wish));
  }
}

const RETIRE = 'update question set retired_at = coalesce(retired_at, now()) where id = $1';

async function deleteOrRetire(tx: Transaction, { question, actor }: Wish) {
  const was = await lockQuestion(tx, question);
  const { rowCount } = await tx.query(`delete from question where id = $1 and not ${IS_USED}`, [
    was.id,
  ]);
  const retired = rowCount === 0;
  if (retired) await tx.query(RETIRE, [was.id]);
  if (!retired || !was.retired) await recordEnd(tx, was, actor, retired);
  return { retired };
}

async function recordEnd(
  tx: Transaction,
  { id, question }: LockedQuestion,
  actor: Actor,
  retired: boolean,
): Promise<void> {
  const action = retired ? 'question.retired' : 'question.deleted';
  await recordAction(tx, { actor, action, subject: String(id), details: { question } });
}

/**
 * Brings a retired question back. May be repeated.
 *
 * @throws AppError `question_not_found`; `question_duplicate` when its text is in the bank again
 */
export async function restoreQuestion(
  db: Database,
  { question, actor }: Wish,
): Promise<BankQuestion> {
  let was: LockedQuestion | undefined;
  try {
    return await withTransaction(db, async (tx) => {
      was = await lockQuestion(tx, question);
      if (was.retired) {
        await tx.query('update question set retired_at = null where id = $1', [was.id]);
        await recordAction(tx, { actor, action: 'question.restored', subject: String(was.id) });
      }
      return readBankQuestion(tx, was.id);
    });
  } catch (error) {
    throw was && isDuplicateText(error) ? await duplicateOf(db, was) : error;
  }
}

/** The error that names the other question with this text. */
async function duplicateOf(
  db: Queryable,
  { language, question }: { language: string; question: string },
): Promise<AppError> {
  const { rows } = await db.query<{ id: number; uuid: string }>(
    `select id, uuid from question
     where language = $1 and text_key = question_text_key($2) and retired_at is null`,
    [language, question],
  );
  const details = rows[0] && { question_id: rows[0].id, uuid: rows[0].uuid };
  return new AppError('question_duplicate', { details: { field: 'question', ...details } });
}

/**
 * A question that stays as it is until the transaction ends. A quiz that is being drawn refers to it
 * meanwhile, and does not wait.
 *
 * @throws AppError `question_not_found`
 */
export async function lockQuestion(
  tx: Transaction,
  question: number | string,
): Promise<LockedQuestion> {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  const { rows } = await tx.query<LockedQuestion>(
    `select id, version, language, topic, question, answer, incorrect, explanation, source_url,
            checked_at::text as checked_at, tags, validated, retired_at is not null as retired
     from question where ${column} = $1 and ${IS_VISIBLE} for no key update`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0];
}

const UNIQUE_VIOLATION = '23505';

/** Whether an error says that the bank has an active question with this text already. */
export function isDuplicateText(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'question_text';
}
