import { type Actor, nameOf } from '#audit/actor.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findImageIn, readDataUri, storeImages } from '#images/images.ts';
import { type BankQuestion, readBankQuestion } from './bank-question.ts';
import { lockQuestion } from './edit-question.ts';
import {
  duplicateError,
  FIELDS,
  invalid,
  isDuplicateText,
  type OptionalContent,
  type QuestionContent,
  toColumn,
  validated,
} from './question-content.ts';
import { IS_VISIBLE } from './question-filter.ts';
import { readPicture } from './question-row.ts';
import { recordQuestionAction } from './record-question-action.ts';

interface NewQuestion {
  language: string;
  content: Omit<QuestionContent, keyof OptionalContent> & {
    [field in Exclude<keyof OptionalContent, 'image_hash'>]?: OptionalContent[field] | undefined;
  };
  /** A picture as a data URI. */
  image: string | null | undefined;
  /** Without a picture of its own, it gets that of this question. */
  pictureOf: number | undefined;
  /** The question that it translates: both are then in one group. */
  translationOf: number | undefined;
  actor: Actor;
}

/**
 * Adds a question that an editor wrote. It is pending, as an imported one.
 *
 * @throws AppError `validation_failed` with the faults of an import row; `question_duplicate` with the other
 *   question that has this text, or that is the translation (`details.field` is then `language`);
 *   `question_not_found` for the question that it translates, or whose picture it gets
 */
export async function createQuestion(db: Database, request: NewQuestion): Promise<BankQuestion> {
  const { language, actor, translationOf } = request;
  const { content, image } = await readContent(db, request);
  try {
    return await withTransaction(db, async (tx) => {
      const group =
        translationOf === undefined ? null : await joinGroup(tx, translationOf, language);
      if (image) await storeImages(tx, [image]);
      const columns = ['language', 'translation_group', 'created_by', ...FIELDS];
      const values = [
        language,
        group,
        nameOf(actor),
        ...FIELDS.map((field) => toColumn(field, content)),
      ];
      const { rows } = await tx.query<{ id: number }>(
        `insert into question (${columns.join(', ')})
         values (${columns.map((_column, index) => `$${index + 1}`).join(', ')}) returning id`,
        values,
      );
      const { id } = rows[0]!;
      // A trigger fills in the text.
      await tx.query(`insert into question_search values ($1, '')`, [id]);
      const details = {
        language,
        ...(translationOf !== undefined && { translation_of: translationOf }),
      };
      await recordQuestionAction(tx, {
        actor,
        action: 'question.created',
        subject: String(id),
        details,
      });
      return readBankQuestion(tx, id);
    });
  } catch (error) {
    throw isDuplicateText(error) ? await duplicateError(db, { language, ...content }) : error;
  }
}

/** The content by the rules of an import row, and its picture; before the transaction, as decoding takes long. */
async function readContent(db: Database, { language, pictureOf, ...request }: NewQuestion) {
  const uri = request.image === undefined ? await pictureUri(db, pictureOf) : request.image;
  const picture =
    typeof uri !== 'string' ? null : await readPicture({ image: uri }, findImageIn(db));
  const {
    incorrect_reasons = null,
    source_title = null,
    excludes = [],
    valid_from = null,
    ages = null,
    image_alt = null,
    areas = null,
    ...rest
  } = request.content;
  const given = { incorrect_reasons, source_title, excludes, valid_from, ages, image_alt, areas };
  const content = validated(language, { ...rest, ...given, image_hash: null }, uri);
  if (picture && 'faults' in picture) throw invalid(picture.faults);
  const image = picture?.image ?? null;
  return { content: { ...content, image_hash: image?.hash ?? null }, image };
}

async function pictureUri(db: Database, question: number | undefined) {
  if (question === undefined) return undefined;
  const { rows } = await db.query<{ image_hash: string | null }>(
    `select image_hash from question where id = $1 and ${IS_VISIBLE}`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0].image_hash === null ? undefined : readDataUri(db, rows[0].image_hash);
}

/**
 * The group of a question that gets a translation. A question without one gets it now. The lock makes two
 * editors who translate it take turns.
 */
async function joinGroup(tx: Transaction, original: number, language: string): Promise<string> {
  const locked = await lockQuestion(tx, original);
  if (locked.language === language) {
    throw new AppError('validation_failed', {
      message: 'language is that of the question itself',
      details: { field: 'language' },
    });
  }
  const { rows } = await tx.query<{ group: string }>(
    `update question set translation_group = coalesce(translation_group, $2) where id = $1
     returning translation_group as "group"`,
    [original, crypto.randomUUID()],
  );
  const { group } = rows[0]!;
  const { rows: others } = await tx.query<{ id: number; uuid: string; visible: boolean }>(
    `select id, uuid, ${IS_VISIBLE} as visible from question
     where translation_group = $1 and language = $2 and retired_at is null`,
    [group, language],
  );
  if (!others[0]) return group;
  // That of an import that is not complete is not shown, but it may be a moment later.
  const { id, uuid, visible } = others[0];
  throw new AppError('question_duplicate', {
    details: { field: 'language', ...(visible && { question_id: id, uuid }) },
  });
}
