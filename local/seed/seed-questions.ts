import type { QuestionRow } from '@proveklar/contract/imports.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { refuseImport, stepImport } from '@proveklar/services/imports/end-import.ts';
import {
  applyRelease,
  noteImport,
  type ReleasedQuestion,
  type ReleaseResult,
  undoRelease,
} from '@proveklar/services/questions/bank-release.ts';
import type { StoredImage } from '@proveklar/services/images/read-image.ts';
import { readPicture } from '@proveklar/services/questions/question-row.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';
import { startChange } from '@proveklar/services/questions/start-bulk-change.ts';
import { finishImport, importRows } from './import-rows.ts';

/** Who adds the demo's data, in histories and the audit log. */
export const SEED = 'seed';

/**
 * Brings a database to a release of the question bank: updates the questions that the release changed, retires
 * those that it dropped, and imports and validates those that the database lacks. Changes nothing when there is
 * nothing to do. First finishes the imports of an interrupted seed.
 *
 * @throws Error when a new row is invalid
 */
export async function seedQuestions(
  db: Database,
  questions: QuestionRow[],
): Promise<Omit<ReleaseResult, 'missing'> & { imported: number }> {
  let imported = await finishInterrupted(db);
  const release = await releasedOf(questions);
  const { images } = release;
  const { missing: lacking, ...applied } = await applyRelease(db, release.questions, { images });
  const isLacking = new Set(lacking.map(({ group, language }) => `${group} ${language}`));
  const missing = await findMissing(
    db,
    questions.filter(({ group, language }) => !group || isLacking.has(`${group} ${language}`)),
  );
  if (missing.length > 0) {
    const result = await importRows(db, missing, SEED);
    if (result.rejected.length > 0) {
      throw new Error(`The bank has bad rows: ${JSON.stringify(result.rejected, null, 2)}`);
    }
    imported += result.imported;
    const { questions: added } = await releasedOf(missing);
    if (added.length > 0) {
      const { release: id } = applied;
      await noteImport(db, { release: id, importId: result.import_id, questions: added });
    }
  }
  await validateImports(db);
  return { ...applied, imported };
}

/** What an update to the release would do. */
export async function planRelease(db: Database, questions: QuestionRow[]): Promise<ReleaseResult> {
  const released = await releasedOf(questions);
  return applyRelease(db, released.questions, { dryRun: true });
}

/** Undoes the last release. Its new questions are deleted, or retired if a learner has seen them. */
export async function undoSeed(db: Database): Promise<{ restored: number } | null> {
  const undone = await undoRelease(db);
  if (undone?.importId) {
    await stepImport(db, undone.importId, 'undo', SEED);
    await finishImport(db, undone.importId);
  }
  return undone && { restored: undone.restored };
}

/** The questions that a release can recognize, with all fields, and their pictures. */
async function releasedOf(
  rows: readonly QuestionRow[],
): Promise<{ questions: ReleasedQuestion[]; images: StoredImage[] }> {
  const questions: ReleasedQuestion[] = [];
  const images = new Map<string, StoredImage>();
  for (const { group, ...question } of rows) {
    if (group === undefined) continue;
    const picture = await readPicture(question);
    if ('faults' in picture) {
      throw new Error(`The picture of ${group} is refused: ${JSON.stringify(picture.faults)}`);
    }
    const { image } = picture;
    if (image) images.set(image.hash, image);
    questions.push({
      language: question.language,
      topic: question.topic,
      question: question.question,
      answer: question.answer,
      incorrect: question.incorrect,
      explanation: question.explanation ?? null,
      group,
      tags: question.tags ?? [],
      source_url: question.source_url ?? null,
      source_title: question.source_title ?? null,
      checked_at: question.checked_at ?? null,
      incorrect_reasons: question.incorrect_reasons ?? null,
      excludes: question.excludes ?? [],
      valid_from: question.valid_from ?? null,
      ages: question.ages ?? null,
      image_hash: image?.hash ?? null,
      image_alt: question.image_alt ?? null,
      areas: question.areas ?? null,
    });
  }
  return { questions, images: [...images.values()] };
}

/** Finishes the imports of a seed that was killed. Returns the number of imported questions. */
async function finishInterrupted(db: Database): Promise<number> {
  // The rest of their files will never arrive.
  const { rows: cutOff } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = $1 and state = 'receiving'`,
    [SEED],
  );
  for (const { id } of cutOff) {
    await refuseImport(db, id, { reason: 'interrupted', row: null, byte: null });
  }
  const { rows: begun } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = $1 and state = 'processing'`,
    [SEED],
  );
  let imported = 0;
  for (const { id } of [...cutOff, ...begun]) {
    const ended = await finishImport(db, id);
    if (ended.state === 'completed') imported += ended.imported;
  }
  return imported;
}

/** The questions that the bank lacks, compared as an import does: by language and text. */
async function findMissing(db: Database, questions: QuestionRow[]): Promise<QuestionRow[]> {
  const { rows } = await db.query<{ at: number }>(
    `select given.at::integer - 1 as at
     from unnest($1::text[], $2::text[]) with ordinality as given (language, question, at)
     where not exists (
       select from question
       where question.language = given.language and question.retired_at is null
         and question.text_key = question_text_key(given.question))
     order by given.at`,
    [questions.map(({ language }) => language), questions.map(({ question }) => question)],
  );
  return rows.map(({ at }) => questions[at]!);
}

/**
 * Validates the imported questions once. The bulk change records it, so that a validation that an
 * administrator withdrew is not repeated. Leaves out imports without a file, which are from an earlier
 * version of the seed that recorded no change.
 */
async function validateImports(db: Database): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where imported_by = $1 and state = 'completed' and imported > 0 and received_at is not null
       and not exists (
         select from question_change
         where actor = $1 and action = 'validate'
           and selection ->> 'import_id' = question_import.id::text)`,
    [SEED],
  );
  for (const { id } of rows) {
    const change = await startChange(db, {
      action: 'validate',
      topic: undefined,
      selection: { import_id: id },
      actor: SEED,
    });
    while (await runChange(db, change.id)) continue;
  }
}
