import { isDeepStrictEqual } from 'node:util';
import { type Actor, nameOf } from '#audit/actor.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { isForeignKeyViolation } from '#database/sql-state.ts';
import { AppError } from '#errors/app-error.ts';
import { findImageIn, storeImages } from '#images/images.ts';
import { ARCHIVE_COLUMNS, type BankQuestion, IS_USED, readBankQuestion } from './bank-question.ts';
import { mergeRetired, unmerge } from './merge-duplicates.ts';
import { IS_VISIBLE } from './question-filter.ts';
import {
  duplicateError,
  FIELDS,
  invalid,
  isDuplicateText,
  type OptionalContent,
  type QuestionContent,
  toColumn,
  UNVERSIONED_FIELDS,
  validated,
} from './question-content.ts';
import { readPicture } from './question-row.ts';
import { recordQuestionAction } from './record-question-action.ts';

interface Edit {
  /** Its id or uuid. */
  question: number | string;
  /** The version that the administrator edited. */
  version: number;
  /** The revision, which changes with the tags and dates, too. */
  revision?: number | undefined;
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
    await requireVersion(tx, current, edit);
    const content = validated(current.language, completed(edit.content, current), image);
    if (picture && 'faults' in picture) throw invalid(picture.faults);
    if (!picture?.image) return content;
    await storeImages(tx, [picture.image]);
    return { ...content, image_hash: picture.image.hash };
  };
  return updateContent(db, edit.question, edit.actor, contentFor);
}

/** @throws AppError `question_changed` with the current question, when the version is another by now */
async function requireVersion(
  tx: Transaction,
  current: LockedQuestion,
  { version, revision = current.revision }: { version: number; revision?: number | undefined },
) {
  if (current.version === version && current.revision === revision) return;
  const question = await readBankQuestion(tx, current.id);
  throw new AppError('question_changed', { details: { version: current.version, question } });
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

interface Restoration {
  /** Its id or uuid. */
  question: number | string;
  /** The version that becomes the content again. */
  restored: number;
  /** The version that the administrator saw as the current one. */
  version: number;
  actor: Actor;
}

/**
 * Makes the content of an earlier version the current one, as a new version. Tags have no versions, and stay.
 * The errors are those of `editQuestion`.
 *
 * @throws AppError `version_not_found`
 */
export async function restoreVersion(
  db: Database,
  { question, restored, version, actor }: Restoration,
): Promise<BankQuestion> {
  const contentFor = async (tx: Transaction, current: LockedQuestion) => {
    await requireVersion(tx, current, { version });
    const { rows } = await tx.query<Omit<QuestionContent, 'tags'>>(
      `select topic, question, answer, incorrect, explanation, source_url,
              checked_at::text as checked_at, incorrect_reasons, source_title, excludes,
              valid_from::text as valid_from, ages, image_hash, image_alt, areas
       from question_version where question_id = $1 and version = $2 for key share`,
      [current.id, restored],
    );
    if (!rows[0]) throw new AppError('version_not_found');
    return validated(current.language, { ...rows[0], tags: current.tags });
  };
  return updateContent(db, question, actor, contentFor, { restored });
}

export interface LockedQuestion extends QuestionContent {
  id: number;
  version: number;
  revision: number;
  language: string;
  validated: boolean;
  retired: boolean;
}

async function updateContent(
  db: Database,
  question: number | string,
  actor: Actor,
  contentFor: (tx: Transaction, current: LockedQuestion) => Promise<QuestionContent>,
  facts: { restored?: number } = {},
): Promise<BankQuestion> {
  let text = { language: '', question: '' };
  try {
    return await withTransaction(db, async (tx) => {
      const current = await lockQuestion(tx, question);
      const content = await contentFor(tx, current);
      text = { language: current.language, question: content.question };
      await store(tx, current, content, actor, facts);
      return readBankQuestion(tx, current.id);
    });
  } catch (error) {
    throw isDuplicateText(error) ? await duplicateError(db, text) : error;
  }
}

async function store(
  tx: Transaction,
  current: LockedQuestion,
  content: QuestionContent,
  actor: Actor,
  facts: { restored?: number } = {},
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
  await recordQuestionAction(tx, {
    actor,
    action: 'question.edited',
    subject: String(current.id),
    details: { version, fields, ...facts },
  });
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
      await recordQuestionAction(tx, { actor, action, subject: String(id) });
    }
    return readBankQuestion(tx, id);
  });
}

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
    if (!isForeignKeyViolation(error)) throw error;
    return withTransaction(db, (tx) => deleteOrRetire(tx, target));
  }
}

const RETIRE = 'update question set retired_at = now() where id = $1';

async function deleteOrRetire(tx: Transaction, { question, actor }: Target) {
  const current = await lockQuestion(tx, question);
  const { rowCount } = await tx.query(`delete from question where id = $1 and not ${IS_USED}`, [
    current.id,
  ]);
  const retired = rowCount === 0;
  if (retired && !current.retired) {
    await tx.query(RETIRE, [current.id]);
    await mergeRetired(tx, [current.id]);
  }
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
  await recordQuestionAction(tx, { actor, action, subject: String(id), details: { question } });
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
        await unmerge(tx, [current.id]);
        await recordQuestionAction(tx, {
          actor,
          action: 'question.restored',
          subject: String(current.id),
        });
      }
      return readBankQuestion(tx, current.id);
    });
  } catch (error) {
    throw current && isDuplicateText(error) ? await duplicateError(db, current) : error;
  }
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
    `select id, version, revision, language, topic, question, answer, incorrect, explanation, source_url,
            checked_at::text as checked_at, tags, incorrect_reasons, source_title, excludes,
            valid_from::text as valid_from, ages, image_hash, image_alt, areas, validated, retired_at is not null as retired
     from question where ${column} = $1 and ${IS_VISIBLE} for no key update`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0];
}
