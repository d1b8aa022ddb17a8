import { type BankReleasePlan, MAX_LISTED_CHANGES } from '@proveklar/contract/bank-releases.ts';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import type { Actor } from '#audit/actor.ts';
import { withAdvisoryLock } from '#database/advisory-lock.ts';
import type { Database } from '#database/pool.ts';
import type { StoredImage } from '#images/read-image.ts';
import { refuseImport, stepImport } from '#imports/end-import.ts';
import { finishImport, importRows } from '#imports/import-rows.ts';
import { listOffered } from '#languages/languages.ts';
import { BANK, noteImport, type ReleaseResult, updateToRelease } from '#questions/bank-release.ts';
import { type KeptQuestion, keyOf, type ReleasedQuestion } from '#questions/compare-release.ts';
import { readPicture } from '#questions/question-row.ts';
import { runChange } from '#questions/run-bulk-change.ts';
import { startChange } from '#questions/start-bulk-change.ts';
import { revertUpdates } from '#questions/undo-bank-release.ts';
import { InvalidRelease, type Release } from './read-release.ts';

/** Who imports and validates the new questions of a release; `seed` did in earlier versions. */
const IMPORTERS = [BANK, 'seed'];

export type AppliedRelease = Pick<ReleaseResult, 'updated' | 'retired' | 'unchanged' | 'kept'> & {
  /** Null when nothing had to be changed. */
  release: string | null;
  added: number;
};

// The key of the advisory lock. Any number will do that no other lock of the service uses.
const BANK_LOCK_KEY = 7_461_002;

/**
 * Runs `work` while no other process applies or undoes a release: it would take the import of this one for one that
 * was interrupted.
 *
 * @param options.wait whether to wait for another process that does
 * @returns what `work` returns; null when another process does
 */
export function withBankLock<T>(
  db: Database,
  work: () => Promise<T>,
  options?: { wait: boolean },
): Promise<T | null> {
  return withAdvisoryLock(db, BANK_LOCK_KEY, work, options);
}

/**
 * Applies a release of the question bank to a database: updates the questions that the release changed, retires
 * those that it dropped, and imports and validates those that the database lacks. Changes nothing when there is
 * nothing to do. First finishes what an interrupted call has imported.
 *
 * Call it inside `withBankLock` only.
 *
 * @param id of the release, so that a call after an interruption continues it; by default a new one
 * @param actor who orders it, for the list of releases and the audit log
 * @param signal stops it after the current batch
 * @throws InvalidRelease; the signal's reason
 */
export async function applyRelease(
  db: Database,
  questions: readonly QuestionRow[],
  {
    id = null,
    actor = BANK,
    signal,
  }: { id?: string | null; actor?: Actor; signal?: AbortSignal | undefined } = {},
): Promise<AppliedRelease> {
  const finished = await finishInterrupted(db, signal);
  const { questions: released, images } = await releasedOf(questions);
  const applied = await updateToRelease(db, released, { id, actor, images });
  const { missing, duplicates } = await splitMissing(db, questions, applied.missing);
  const { updated, retired, unchanged } = applied;
  const kept = [...applied.kept, ...duplicates];
  // A release has one import: what an interrupted call left is one of its own.
  let [next, nextId] = [applied.release, id];
  let { release } = applied;
  const note = async (importId: string, of: readonly QuestionRow[]) => {
    const { questions: noted } = await releasedOf(of);
    if (noted.length === 0) return;
    const to = { release: next, id: nextId, importId, questions: noted, actor };
    const notedTo = await noteImport(db, to);
    release ??= notedTo;
    [next, nextId] = [null, null];
  };
  let added = 0;
  for (const { id: importId, imported } of finished) {
    added += imported;
    await note(importId, questions);
  }
  if (missing.length > 0) {
    const result = await importRows(db, missing, BANK, signal);
    if (result.rejected.length > 0) {
      throw new InvalidRelease(`It has bad rows: ${JSON.stringify(result.rejected, null, 2)}`);
    }
    added += result.imported;
    await note(result.import_id, missing);
  }
  await validateImports(db, signal);
  return { release, updated, retired, unchanged, kept, added };
}

/** What applying a release would do. Changes nothing. */
export async function planRelease(db: Database, release: Release): Promise<BankReleasePlan> {
  const { questions } = release;
  const { questions: released } = await releasedOf(questions);
  const planned = await updateToRelease(db, released, { dryRun: true });
  const { missing, duplicates } = await splitMissing(db, questions, planned.missing);
  const offered = new Set((await listOffered(db)).map(({ code }) => code));
  const added = missing.map(({ group = '', language, question }) => ({
    group,
    language,
    question,
    question_id: null,
    action: 'added' as const,
    fields: [],
  }));
  const changes = Object.values(
    Object.groupBy([...planned.changes, ...added], ({ action }) => action),
  ).flatMap((all) => all.slice(0, MAX_LISTED_CHANGES));
  return {
    release: release.fingerprint,
    languages: [...Map.groupBy(questions, ({ language }) => language)].map(([language, of]) => ({
      language,
      questions: of.length,
      offered: offered.has(language),
    })),
    added: added.length,
    updated: planned.updated,
    retired: planned.retired,
    unchanged: planned.unchanged,
    changes,
    kept: [...planned.kept, ...duplicates],
  };
}

/**
 * Undoes a release. Its new questions are deleted, or retired if a learner has seen them. May be called again after
 * an interruption.
 *
 * @param signal stops it after the current batch of its new questions
 * @returns the number of questions that are as before
 * @throws the signal's reason
 */
export async function undoRelease(
  db: Database,
  id: string,
  { actor = BANK, signal }: { actor?: Actor; signal?: AbortSignal | undefined } = {},
): Promise<{ restored: number }> {
  const { importId, restored } = await revertUpdates(db, id, actor);
  if (importId !== null) {
    const { rows } = await db.query<{ state: string }>(
      'select state from question_import where id = $1',
      [importId],
    );
    if (rows[0]?.state === 'completed') await stepImport(db, importId, 'undo', BANK);
    await finishImport(db, importId, signal);
  }
  return { restored };
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
      throw new InvalidRelease(
        `The picture of ${group} is refused: ${JSON.stringify(picture.faults)}`,
      );
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

/** Finishes the imports of a call that was killed. Returns those that brought questions. */
async function finishInterrupted(
  db: Database,
  signal?: AbortSignal,
): Promise<{ id: string; imported: number }[]> {
  // The rest of their files will never arrive.
  const { rows: cutOff } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = any ($1) and state = 'receiving'`,
    [IMPORTERS],
  );
  for (const { id } of cutOff) {
    await refuseImport(db, id, { reason: 'interrupted', row: null, byte: null });
  }
  const { rows: begun } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = any ($1) and state = 'processing'`,
    [IMPORTERS],
  );
  const finished: { id: string; imported: number }[] = [];
  for (const { id } of [...cutOff, ...begun]) {
    const { state, imported } = await finishImport(db, id, signal);
    if (state === 'completed' && imported > 0) finished.push({ id, imported });
  }
  return finished;
}

/**
 * The questions to import, of those that a release cannot recognize in the database: compared as an import does, by
 * language and text. The others are duplicates.
 */
async function splitMissing(
  db: Database,
  questions: readonly QuestionRow[],
  lacking: readonly ReleasedQuestion[],
): Promise<{ missing: QuestionRow[]; duplicates: KeptQuestion[] }> {
  const isLacking = new Set(lacking.map(keyOf));
  const candidates = questions.filter(({ group, language }) => {
    return group === undefined || isLacking.has(keyOf({ group, language }));
  });
  const { rows } = await db.query<{ id: number | null }>(
    `select (select id from question
             where question.language = given.language and question.retired_at is null
               and question.text_key = question_text_key(given.question)) as id
     from unnest($1::text[], $2::text[]) with ordinality as given (language, question, at)
     order by given.at`,
    [candidates.map(({ language }) => language), candidates.map(({ question }) => question)],
  );
  const [missing, duplicates]: [QuestionRow[], KeptQuestion[]] = [[], []];
  for (const [at, candidate] of candidates.entries()) {
    const { group, language, question } = candidate;
    const { id } = rows[at]!;
    if (id === null) missing.push(candidate);
    // Without a group, the same text is the same question.
    else if (group !== undefined) {
      duplicates.push({ group, language, question, question_id: id, reason: 'duplicate' });
    }
  }
  return { missing, duplicates };
}

/**
 * Validates the imported questions once. The bulk change records it, so that a validation that an
 * administrator withdrew is not repeated. Leaves out imports without a file, which are from an earlier
 * version that recorded no change.
 */
async function validateImports(db: Database, signal?: AbortSignal): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where imported_by = any ($1) and state = 'completed' and imported > 0
       and received_at is not null
       and not exists (
         select from question_change
         where actor = any ($1) and action = 'validate'
           and selection ->> 'import_id' = question_import.id::text)`,
    [IMPORTERS],
  );
  for (const { id } of rows) {
    const change = await startChange(db, {
      action: 'validate',
      topic: undefined,
      selection: { import_id: id },
      actor: BANK,
    });
    while (await runChange(db, change.id)) signal?.throwIfAborted();
  }
}
