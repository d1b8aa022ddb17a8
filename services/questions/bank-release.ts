import { type Actor, nameOf } from '#audit/actor.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { storeImages } from '#images/images.ts';
import type { StoredImage } from '#images/read-image.ts';
import { ARCHIVE_COLUMNS, CONTENT_COLUMNS } from './bank-question.ts';
import {
  compareRelease,
  type KeptQuestion,
  type KnownQuestion,
  keyOf,
  type PresentQuestion,
  type ReleaseChange,
  type ReleasedQuestion,
  textKeyOf,
} from './compare-release.ts';
import { recordQuestionAction } from './record-question-action.ts';

// Releases of our question bank. A question of the bank is identified by its group and language, so that a
// release can change its text. What administrators have changed always wins.

export interface ReleaseResult {
  /** Null for a dry run, and when nothing had to be changed. */
  release: string | null;
  updated: number;
  /** Questions that the release does not have any more. */
  retired: number;
  unchanged: number;
  changes: ReleaseChange[];
  kept: KeptQuestion[];
  /** What the database does not have yet; the caller imports it. */
  missing: ReleasedQuestion[];
}

/** Who changes questions in a release, in their versions: not an administrator, whose changes would win later. */
export const BANK = 'bank';

/**
 * Updates the questions of the bank to a release, and retires those that it dropped. Changed questions get a
 * new version, so finished quizzes keep what they showed. Idempotent. New questions are only reported.
 *
 * @param id of the release, so that a repeated call continues it; by default a new one
 * @param actor for the audit log
 * @param dryRun changes nothing
 * @param images the pictures of the questions
 */
export async function updateToRelease(
  db: Database,
  questions: readonly ReleasedQuestion[],
  {
    id: releaseId = null,
    actor = BANK,
    dryRun = false,
    images = [],
  }: {
    id?: string | null;
    actor?: Actor;
    dryRun?: boolean;
    images?: readonly StoredImage[];
  } = {},
): Promise<ReleaseResult> {
  return withTransaction(db, async (tx) => {
    if (!dryRun) await lockBank(tx);
    const known = await readKnown(tx);
    const present = await readPresent(tx, questions, [...known.values()]);
    const taken = await readTaken(tx, questions);
    const { updates, drops, matched, unchanged, kept, missing } = compareRelease(questions, {
      present,
      known,
      taken,
    });
    const result: ReleaseResult = {
      release: null,
      updated: updates.length,
      retired: drops.length,
      unchanged,
      changes: [...updates.map(({ content: _content, ...change }) => change), ...drops],
      kept,
      missing,
    };
    if (dryRun) return result;
    await remember(tx, matched);
    if (updates.length + drops.length > 0) {
      result.release = await createRelease(tx, actor, releaseId);
      const used = new Set(updates.map(({ content }) => content.image_hash));
      await storeImages(
        tx,
        images.filter(({ hash }) => used.has(hash)),
      );
      await update(tx, result.release, updates);
      await retire(
        tx,
        result.release,
        drops.map((drop) => drop.question_id),
      );
      const details = { updated: updates.length, retired: drops.length };
      await recordQuestionAction(tx, {
        actor,
        action: 'bank.applied',
        subject: result.release,
        details,
      });
    }
    return result;
  });
}

/**
 * Notes which import brought the new questions of a release.
 *
 * @param release as returned by `updateToRelease`; null creates one, with the id `id`
 * @returns the release's id
 */
export async function noteImport(
  db: Database,
  {
    release,
    id: releaseId = null,
    importId,
    questions,
    actor = BANK,
  }: {
    release: string | null;
    id?: string | null;
    importId: string;
    questions: readonly ReleasedQuestion[];
    actor?: Actor;
  },
): Promise<string> {
  return withTransaction(db, async (tx) => {
    await lockBank(tx);
    const id = release ?? (await createRelease(tx, actor, releaseId));
    await tx.query('update bank_release set import_id = $2 where id = $1', [id, importId]);
    const present = await readPresent(tx, questions, []);
    await remember(
      tx,
      [...present.values()].map(({ group, language, id: question_id }) => ({
        group,
        language,
        question_id,
      })),
    );
    if (release === null) {
      const details = { created: questions.length };
      await recordQuestionAction(tx, { actor, action: 'bank.applied', subject: id, details });
    }
    return id;
  });
}

/** The last release that is not undone; null without one. */
export async function findLatestRelease(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from bank_release where undone_at is null order by applied_at desc limit 1',
  );
  return rows[0]?.id ?? null;
}

/** One release at a time. */
export async function lockBank(tx: Transaction): Promise<void> {
  await tx.query('lock table bank_question in share row exclusive mode');
}

async function createRelease(tx: Transaction, actor: Actor, id: string | null): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into bank_release (id, applied_by) values (coalesce($2, gen_random_uuid()), $1)
     on conflict (id) do update set applied_by = excluded.applied_by returning id`,
    [nameOf(actor), id],
  );
  return rows[0]!.id;
}

async function readKnown(tx: Transaction): Promise<Map<string, KnownQuestion>> {
  const { rows } = await tx.query<KnownQuestion>(
    'select translation_group as "group", language, question_id from bank_question',
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}

// Of a bank that was imported before there were releases, the questions are found by group and language.
const PRESENT = `
  select distinct on (question.language, question.translation_group)
         question.id, question.language, topic, question, answer, incorrect, explanation,
         question.translation_group as "group", tags, source_url, source_title,
         checked_at::text as checked_at, incorrect_reasons, excludes,
         valid_from::text as valid_from, ages, image_hash, image_alt, areas,
         retired_at is not null as is_retired,
         exists (select from question_version
                 where question_version.question_id = question.id and replaced_by <> $3)
           or exists (select from audit_entry
                      where action in ('question.edited', 'question.key_corrected')
                        and subject = question.id::text and actor <> $3) as is_edited
  from question
  left join bank_question known on known.question_id = question.id
  where known.question_id is not null
     or (question.translation_group = any ($1) and not exists (
           select from bank_question
           where bank_question.translation_group = question.translation_group
             and bank_question.language = question.language)
         and question.language = any ($2))
  order by question.language, question.translation_group, retired_at nulls first, question.id`;

/** The questions of the bank by group and language: the remembered ones, and those of the release. */
async function readPresent(
  tx: Transaction,
  questions: readonly ReleasedQuestion[],
  known: readonly KnownQuestion[],
): Promise<Map<string, PresentQuestion>> {
  const groups = [...new Set(questions.map(({ group }) => group))];
  const languages = [...new Set(questions.map(({ language }) => language))];
  const { rows } = await tx.query<PresentQuestion>(PRESENT, [groups, languages, BANK]);
  // An administrator may have changed the group of a question: the remembered one counts.
  const remembered = new Map(known.map(({ question_id, ...one }) => [question_id, one]));
  return new Map(rows.map((row) => [keyOf(remembered.get(row.id) ?? row), row]));
}

/** The active questions that have the text of a released one. */
async function readTaken(
  tx: Transaction,
  questions: readonly ReleasedQuestion[],
): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ id: number; language: string; question: string }>(
    `select question.id, given.language, given.question
     from unnest($1::text[], $2::text[]) as given (language, question)
     join question on question.language = given.language and retired_at is null
       and question.text_key = question_text_key(given.question)`,
    [questions.map(({ language }) => language), questions.map(({ question }) => question)],
  );
  return new Map(rows.map(({ id, ...text }) => [textKeyOf(text), id]));
}

async function remember(tx: Transaction, matched: readonly KnownQuestion[]): Promise<void> {
  await tx.query(
    `insert into bank_question (translation_group, language, question_id)
     select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict do nothing`,
    [
      matched.map(({ group }) => group),
      matched.map(({ language }) => language),
      matched.map(({ question_id }) => question_id),
    ],
  );
}

const UPDATE = `
  with given as (
    select * from jsonb_to_recordset($2) as given (
      id bigint, language text, topic text, question text, answer text, incorrect text[],
      explanation text, tags text[], source_url text, source_title text, checked_at date,
      incorrect_reasons text[], excludes text[], valid_from date, ages smallint,
      image_hash text, image_alt text, areas jsonb)
  ), present as (
    select * from question where id in (select id from given) order by id for no key update
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, $3 from present
  ), noted as (
    insert into bank_release_change (release_id, question_id, action, version, tags)
    select $1, id, 'updated', version, tags from present
    on conflict do nothing
  )
  update question set (${CONTENT_COLUMNS}, tags, version) = (
    select ${CONTENT_COLUMNS}, tags, present.version + 1 from given where given.id = question.id)
  from present where question.id = present.id`;

async function update(
  tx: Transaction,
  release: string,
  updates: readonly { question_id: number; content: ReleasedQuestion }[],
): Promise<void> {
  const rows = updates.map(({ question_id: id, content }) => ({ id, ...content }));
  await tx.query(UPDATE, [release, JSON.stringify(rows), BANK]);
}

async function retire(tx: Transaction, release: string, ids: readonly number[]): Promise<void> {
  await tx.query(
    `with retired as (
       update question set retired_at = now() where id = any ($2) returning id, version, tags)
     insert into bank_release_change (release_id, question_id, action, version, tags)
     select $1, id, 'retired', version, tags from retired
     on conflict do nothing`,
    [release, ids],
  );
}
