import { isDeepStrictEqual } from 'node:util';
import { nameOf, type Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { ARCHIVE_COLUMNS } from './question-versions.ts';
import { checkRow, tidyTopic } from './question-row.ts';
import { readBankQuestion, type BankQuestion } from './bank-question.ts';
import { lockQuestion, type LockedQuestion } from './lock-question.ts';
import { duplicateOf, isDuplicateText } from './question-duplicate.ts';

/** What an administrator can write. */
export type QuestionContent = Pick<
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

export interface Edit {
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
