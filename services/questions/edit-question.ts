// Over 400 lines: every change of one question goes through the same lock, rules and version.

import { isDeepStrictEqual } from 'node:util';
import type { Area } from '@proveklar/contract/images.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findImageIn, storeImages } from '#images/images.ts';
import { ARCHIVE_COLUMNS, type BankQuestion, IS_USED, readBankQuestion } from './bank-question.ts';
import { IS_VISIBLE } from './question-filter.ts';
import {
  checkRow,
  normalizeTopic,
  readPicture,
  type RowFault,
  tidyReasons,
} from './question-row.ts';

/** What an administrator can edit. */
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
  | keyof OptionalContent
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
  'incorrect_reasons',
  'source_title',
  'excludes',
  'valid_from',
  'ages',
  'image_hash',
  'image_alt',
  'areas',
] as const satisfies (keyof QuestionContent)[];

/** A change of these fields makes no new version, because they do not change what is asked and explained. */
const UNVERSIONED_FIELDS = new Set<string>([
  'checked_at',
  'tags',
  'excludes',
  'valid_from',
  'ages',
]);

interface Edit {
  /** Its id or uuid. */
  question: number | string;
  /** The version that the administrator edited. */
  version: number;
  content: Omit<QuestionContent, keyof OptionalContent> & {
    [field in Exclude<keyof OptionalContent, 'image_hash'>]?: OptionalContent[field] | undefined;
  } & {
    /** A new picture as a data URI; null removes it. */
    image?: string | null | undefined;
  };
  actor: Actor;
}

/**
 * Edits a question. Its previous content is kept as a version, and quizzes that showed it keep showing it.
 * A validated question stays validated.
 *
 * @returns the edited question
 * @throws AppError `question_not_found`; `question_changed` with the current question;
 *   `validation_failed` with the faults of an import row; `question_duplicate` with the other question
 */
export async function editQuestion(db: Database, edit: Edit): Promise<BankQuestion> {
  const { image } = edit.content;
  // Before the transaction: decoding takes up to a second, in which it would lock the question.
  const picture = typeof image === 'string' ? await readPicture({ image }, findImageIn(db)) : null;
  const contentFor = async (tx: Transaction, current: LockedQuestion) => {
    if (current.version !== edit.version) {
      const question = await readBankQuestion(tx, current.id);
      throw new AppError('question_changed', { details: { version: current.version, question } });
    }
    const content = validated(current.language, completed(edit.content, current), image);
    if (picture && 'faults' in picture) throw invalid(picture.faults);
    if (!picture?.image) return content;
    await storeImages(tx, [picture.image]);
    return { ...content, image_hash: picture.image.hash };
  };
  return updateContent(db, edit.question, edit.actor, contentFor);
}

/**
 * The content with the current value of what an edit leaves out. Reasons stay with their wrong answers. Without its
 * picture, a question has neither its text nor areas.
 */
function completed(content: Edit['content'], current: LockedQuestion): QuestionContent {
  const reasons = new Map(
    current.incorrect.map((option, place) => [option, current.incorrect_reasons?.[place] ?? null]),
  );
  const {
    incorrect_reasons = content.incorrect.map((option) => reasons.get(option) ?? null),
    source_title = current.source_title,
    excludes = current.excludes,
    valid_from = current.valid_from,
    ages = current.ages,
    image,
    image_alt = image === null ? null : current.image_alt,
    areas = image === null ? null : current.areas,
    ...rest
  } = content;
  return {
    ...rest,
    incorrect_reasons,
    source_title,
    excludes,
    valid_from,
    ages,
    // That of a new picture is known when it has been read.
    image_hash: image === null ? null : current.image_hash,
    image_alt,
    areas,
  };
}

/**
 * Moves a question to another topic. The errors are those of `editQuestion`.
 *
 * @returns the moved question
 */
export async function changeTopic(
  db: Database,
  { question, topic, actor }: { question: number | string; topic: string; actor: Actor },
): Promise<BankQuestion> {
  return updateContent(db, question, actor, async (_tx, current) =>
    validated(current.language, { ...current, topic }),
  );
}

/** What an edit may leave out; the picture is then that with this hash. */
interface OptionalContent {
  incorrect_reasons: (string | null)[] | null;
  source_title: string | null;
  excludes: string[];
  valid_from: string | null;
  ages: number | null;
  image_hash: string | null;
  image_alt: string | null;
  areas: Area[] | null;
}

export interface LockedQuestion extends OptionalContent {
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

async function updateContent(
  db: Database,
  question: number | string,
  actor: Actor,
  contentFor: (tx: Transaction, current: LockedQuestion) => Promise<QuestionContent>,
): Promise<BankQuestion> {
  let text = { language: '', question: '' };
  try {
    return await withTransaction(db, async (tx) => {
      const current = await lockQuestion(tx, question);
      const content = await contentFor(tx, current);
      text = { language: current.language, question: content.question };
      await store(tx, current, content, actor);
      return readBankQuestion(tx, current.id);
    });
  } catch (error) {
    throw isDuplicateText(error) ? await duplicateError(db, text) : error;
  }
}

function invalid(faults: RowFault[]): AppError {
  const [{ field, reason } = { field: '', reason: '' }] = faults;
  return new AppError('validation_failed', {
    message: `${field || 'The question'} is not valid: ${reason}`,
    details: { field, faults },
  });
}

/** Stands for a picture that the question has already. */
const KEPT_PICTURE = 'data:';

/** The normalized content, validated by the rules for import rows. */
function validated(
  language: string,
  content: QuestionContent,
  newImage?: string | null,
): QuestionContent {
  const image = newImage ?? (content.image_hash === null ? undefined : KEPT_PICTURE);
  const { source_url, checked_at, source_title, valid_from, ages } = content;
  const explanation = content.explanation?.trim() ? content.explanation : null;
  const incorrect_reasons = tidyReasons(content.incorrect_reasons);
  const result = checkRow({
    language,
    topic: content.topic,
    question: content.question,
    answer: content.answer,
    incorrect: content.incorrect,
    tags: content.tags,
    excludes: content.excludes,
    ...(incorrect_reasons !== null && { incorrect_reasons }),
    ...(source_title !== null && { source_title }),
    ...(valid_from !== null && { valid_from }),
    ...(ages !== null && { ages }),
    ...(explanation !== null && { explanation }),
    ...(source_url !== null && { source_url }),
    ...(checked_at !== null && { checked_at }),
    ...(image !== undefined && { image }),
    ...(content.image_alt !== null && { image_alt: content.image_alt }),
    ...(content.areas !== null && { areas: content.areas }),
  });
  if ('faults' in result) throw invalid(result.faults);
  const { topic, question } = content;
  return {
    ...content,
    topic: normalizeTopic(topic),
    question: question.trim(),
    explanation,
    incorrect_reasons,
  };
}

async function store(
  tx: Transaction,
  current: LockedQuestion,
  content: QuestionContent,
  actor: Actor,
): Promise<void> {
  const fields = FIELDS.filter((field) => !isDeepStrictEqual(current[field], content[field]));
  if (fields.length === 0) return;
  const isNewVersion = fields.some((field) => !UNVERSIONED_FIELDS.has(field));
  if (isNewVersion) {
    await tx.query(
      `insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
       select id, ${ARCHIVE_COLUMNS}, $2 from question where id = $1`,
      [current.id, nameOf(actor)],
    );
  }
  const version = current.version + Number(isNewVersion);
  await tx.query(
    `update question set (${FIELDS.join(', ')}, version) =
       (${FIELDS.map((_field, index) => `$${index + 3}`).join(', ')}, $2)
     where id = $1`,
    [current.id, version, ...FIELDS.map((field) => toColumn(field, content))],
  );
  await recordAction(tx, {
    actor,
    action: 'question.edited',
    subject: String(current.id),
    details: { version, fields },
  });
}

/** An array that is stored as JSON; the driver would make a PostgreSQL array of it. */
function toColumn(field: (typeof FIELDS)[number], content: QuestionContent): unknown {
  return field === 'areas' && content.areas ? JSON.stringify(content.areas) : content[field];
}

interface Target {
  /** Its id or uuid. */
  question: number | string;
  actor: Actor;
}

/**
 * Validates a question, so that quizzes draw it, or withdraws the validation. Idempotent.
 *
 * @throws AppError `question_not_found`
 */
export async function validateQuestion(
  db: Database,
  { question, actor, validated }: Target & { validated: boolean },
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
 * Deletes a question that no quiz and no report refers to; otherwise retires it, so that histories stay
 * readable and it can be restored.
 *
 * @throws AppError `question_not_found`
 */
export async function deleteQuestion(db: Database, target: Target): Promise<{ retired: boolean }> {
  try {
    return await withTransaction(db, (tx) => deleteOrRetire(tx, target));
  } catch (error) {
    // A concurrent quiz drew the question: the second attempt retires it.
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return withTransaction(db, (tx) => deleteOrRetire(tx, target));
  }
}

const RETIRE = 'update question set retired_at = coalesce(retired_at, now()) where id = $1';

async function deleteOrRetire(tx: Transaction, { question, actor }: Target) {
  const current = await lockQuestion(tx, question);
  const { rowCount } = await tx.query(`delete from question where id = $1 and not ${IS_USED}`, [
    current.id,
  ]);
  const retired = rowCount === 0;
  if (retired) await tx.query(RETIRE, [current.id]);
  if (!retired || !current.retired) await recordRemoval(tx, current, actor, retired);
  return { retired };
}

async function recordRemoval(
  tx: Transaction,
  { id, question }: LockedQuestion,
  actor: Actor,
  retired: boolean,
): Promise<void> {
  const action = retired ? 'question.retired' : 'question.deleted';
  await recordAction(tx, { actor, action, subject: String(id), details: { question } });
}

/**
 * Restores a retired question. Idempotent.
 *
 * @throws AppError `question_not_found`; `question_duplicate` when another active question has its text
 */
export async function restoreQuestion(
  db: Database,
  { question, actor }: Target,
): Promise<BankQuestion> {
  let current: LockedQuestion | undefined;
  try {
    return await withTransaction(db, async (tx) => {
      current = await lockQuestion(tx, question);
      if (current.retired) {
        await tx.query('update question set retired_at = null where id = $1', [current.id]);
        await recordAction(tx, { actor, action: 'question.restored', subject: String(current.id) });
      }
      return readBankQuestion(tx, current.id);
    });
  } catch (error) {
    throw current && isDuplicateText(error) ? await duplicateError(db, current) : error;
  }
}

/** The error `question_duplicate`, with the other question that has this text. */
async function duplicateError(
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
 * Locks a question until the transaction ends. A quiz that refers to it can still be inserted meanwhile:
 * the foreign key does not wait for `no key update`.
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
            checked_at::text as checked_at, tags, incorrect_reasons, source_title, excludes,
            valid_from::text as valid_from, ages, image_hash, image_alt, areas, validated, retired_at is not null as retired
     from question where ${column} = $1 and ${IS_VISIBLE} for no key update`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0];
}

const UNIQUE_VIOLATION = '23505';

/** Whether the error means that the bank has another active question with this text. */
export function isDuplicateText(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'question_text';
}
