import { isDeepStrictEqual } from 'node:util';
import type { Area } from '@proveklar/contract/images.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { storeImages } from '#images/images.ts';
import type { StoredImage } from '#images/read-image.ts';
import { notifyLive } from '#live/live.ts';
import { ARCHIVE_COLUMNS, CONTENT_COLUMNS } from './bank-question.ts';

// Releases of our question bank. A question of the bank is identified by its group and language, so that a
// release can change its text. What administrators have changed always wins.

/** A question of a release: a row of an import file, valid, with a group. */
export interface ReleasedQuestion {
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
  group: string;
  tags: string[];
  source_url: string | null;
  source_title: string | null;
  checked_at: string | null;
  incorrect_reasons: (string | null)[] | null;
  excludes: string[];
  valid_from: string | null;
  ages: number | null;
  image_hash: string | null;
  image_alt: string | null;
  areas: Area[] | null;
}

/**
 * Why a question was left as it is: an administrator has edited, retired or deleted it, or another question
 * has the new text.
 */
export type KeptReason = 'edited' | 'retired' | 'deleted' | 'duplicate';

export interface ReleaseResult {
  /** Null for a dry run, and when nothing had to be changed. */
  release: string | null;
  updated: number;
  /** Questions that the release does not have any more. */
  retired: number;
  unchanged: number;
  kept: { group: string; language: string; reason: KeptReason }[];
  /** What the database does not have yet; the caller imports it. */
  missing: ReleasedQuestion[];
}

interface Present extends ReleasedQuestion {
  id: number;
  is_retired: boolean;
  /** Whether someone else than a release has changed it. */
  is_edited: boolean;
}

interface Known {
  group: string;
  language: string;
  question_id: number | null;
}

const keyOf = ({ group, language }: { group: string; language: string }) => `${group} ${language}`;

/** Who changes questions in a release, in their versions and the audit log. */
const BANK = 'bank';

/**
 * Updates the questions of the bank to a release, and retires those that it dropped. Changed questions get a
 * new version, so finished quizzes keep what they showed. Idempotent. New questions are only reported.
 *
 * @param dryRun changes nothing
 * @param images the pictures of the questions
 */
export async function applyRelease(
  db: Database,
  questions: readonly ReleasedQuestion[],
  {
    actor = BANK,
    dryRun = false,
    images = [],
  }: { actor?: Actor; dryRun?: boolean; images?: readonly StoredImage[] } = {},
): Promise<ReleaseResult> {
  return withTransaction(db, async (tx) => {
    await lockBank(tx);
    const known = await readKnown(tx);
    const present = await readPresent(tx, questions, [...known.values()]);
    const taken = await readTaken(tx, questions);
    const result: ReleaseResult = {
      release: null,
      updated: 0,
      retired: 0,
      unchanged: 0,
      kept: [],
      missing: [],
    };
    const [updates, matched]: [{ id: number; content: ReleasedQuestion }[], Known[]] = [[], []];
    for (const question of questions) {
      const key = keyOf(question);
      const keep = (reason: KeptReason) =>
        result.kept.push({ group: question.group, language: question.language, reason });
      const current = present.get(key);
      if (!current) {
        if (known.has(key)) keep('deleted');
        else result.missing.push(question);
        continue;
      }
      matched.push({ ...question, question_id: current.id });
      const { id, is_retired, is_edited, ...content } = current;
      if (isDeepStrictEqual(content, question)) result.unchanged += 1;
      else if (is_retired) keep('retired');
      else if (is_edited) keep('edited');
      else if ((taken.get(textKeyOf(question)) ?? id) !== id) keep('duplicate');
      else updates.push({ id, content: question });
    }
    const released = new Set(questions.map(keyOf));
    const dropped = [...present]
      .filter(([key, { is_retired }]) => !released.has(key) && !is_retired)
      .map(([, question]) => question);
    for (const { group, language } of dropped.filter(({ is_edited }) => is_edited)) {
      result.kept.push({ group, language, reason: 'edited' });
    }
    const retired = dropped.filter(({ is_edited }) => !is_edited).map(({ id }) => id);
    result.updated = updates.length;
    result.retired = retired.length;
    if (dryRun) return result;
    await remember(tx, matched);
    if (updates.length + retired.length > 0) {
      result.release = await createRelease(tx, actor);
      const used = new Set(updates.map(({ content }) => content.image_hash));
      await storeImages(
        tx,
        images.filter(({ hash }) => used.has(hash)),
      );
      await update(tx, result.release, updates);
      await retire(tx, result.release, retired);
      const details = { updated: updates.length, retired: retired.length };
      await recordAction(tx, { actor, action: 'bank.applied', subject: result.release, details });
      await notifyLive(tx, [{ topic: 'questions' }]);
    }
    return result;
  });
}

/**
 * Notes which import brought the new questions of a release.
 *
 * @param release as returned by `applyRelease`; null creates one
 */
export async function noteImport(
  db: Database,
  {
    release,
    importId,
    questions,
    actor = BANK,
  }: {
    release: string | null;
    importId: string;
    questions: readonly ReleasedQuestion[];
    actor?: Actor;
  },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await lockBank(tx);
    const id = release ?? (await createRelease(tx, actor));
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
      await recordAction(tx, { actor, action: 'bank.applied', subject: id, details });
    }
  });
}

/**
 * Undoes what the last release did to questions that were there, unless they were changed since. The caller
 * undoes its import.
 *
 * @returns the import of its new questions, and the number of restored questions; null without a release
 */
export async function undoRelease(
  db: Database,
  actor: Actor = BANK,
): Promise<{ importId: string | null; restored: number } | null> {
  return withTransaction(db, async (tx) => {
    await lockBank(tx);
    const { rows } = await tx.query<{ id: string; import_id: string | null }>(
      `update bank_release set undone_at = now()
       where id = (select id from bank_release where undone_at is null
                   order by applied_at desc limit 1)
       returning id, import_id`,
    );
    const [release] = rows;
    if (!release) return null;
    const { rowCount: restored } = await tx.query(RESTORE, [release.id]);
    const { rowCount: unretired } = await tx.query(UNRETIRE, [release.id]);
    // Their questions are gone with the import, and a later release may bring them again.
    await tx.query(
      `delete from bank_question using question
       where question.id = question_id and question.import_id = $1`,
      [release.import_id],
    );
    const details = { restored: (restored ?? 0) + (unretired ?? 0) };
    await recordAction(tx, { actor, action: 'bank.undone', subject: release.id, details });
    await notifyLive(tx, [{ topic: 'questions' }]);
    return { importId: release.import_id, ...details };
  });
}

/** One release at a time. */
async function lockBank(tx: Transaction): Promise<void> {
  await tx.query('lock table bank_question in share row exclusive mode');
}

async function createRelease(tx: Transaction, actor: Actor): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into bank_release (applied_by) values ($1) returning id',
    [nameOf(actor)],
  );
  return rows[0]!.id;
}

async function readKnown(tx: Transaction): Promise<Map<string, Known>> {
  const { rows } = await tx.query<Known>(
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
  known: readonly Known[],
): Promise<Map<string, Present>> {
  const groups = [...new Set(questions.map(({ group }) => group))];
  const languages = [...new Set(questions.map(({ language }) => language))];
  const { rows } = await tx.query<Present>(PRESENT, [groups, languages, BANK]);
  // An administrator may have changed the group of a question: the remembered one counts.
  const remembered = new Map(known.map(({ question_id, ...one }) => [question_id, one]));
  return new Map(rows.map((row) => [keyOf(remembered.get(row.id) ?? row), row]));
}

const textKeyOf = ({ language, question }: { language: string; question: string }) =>
  `${language} ${question}`;

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

async function remember(tx: Transaction, matched: readonly Known[]): Promise<void> {
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
  )
  update question set (${CONTENT_COLUMNS}, tags, version) = (
    select ${CONTENT_COLUMNS}, tags, present.version + 1 from given where given.id = question.id)
  from present where question.id = present.id`;

async function update(
  tx: Transaction,
  release: string,
  updates: readonly { id: number; content: ReleasedQuestion }[],
): Promise<void> {
  const rows = updates.map(({ id, content }) => ({ id, ...content }));
  await tx.query(UPDATE, [release, JSON.stringify(rows), BANK]);
}

async function retire(tx: Transaction, release: string, ids: readonly number[]): Promise<void> {
  await tx.query(
    `with retired as (
       update question set retired_at = now() where id = any ($2) returning id, version, tags)
     insert into bank_release_change (release_id, question_id, action, version, tags)
     select $1, id, 'retired', version, tags from retired`,
    [release, ids],
  );
}

// Unless someone has edited the question since, or another one has the text by now.
const RESTORE = `
  with present as (
    select question.*, change.version as former_version, change.tags as former_tags
    from bank_release_change change
    join question on question.id = change.question_id
    join question_version old on old.question_id = question.id and old.version = change.version
    where change.release_id = $1 and change.action = 'updated'
      and not exists (
        select from question_version since
        where since.question_id = question.id and since.version > change.version
          and since.replaced_by <> '${BANK}')
      and not exists (
        select from question other
        where other.id <> question.id and other.language = old.language
          and other.text_key = question_text_key(old.question) and other.retired_at is null)
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, '${BANK}' from present
  )
  update question set (${CONTENT_COLUMNS}, tags, version) = (
    select ${CONTENT_COLUMNS}, present.former_tags, present.version + 1
    from question_version old
    where old.question_id = question.id and old.version = present.former_version)
  from present where question.id = present.id`;

const UNRETIRE = `
  update question set retired_at = null
  from bank_release_change change
  where change.release_id = $1 and change.action = 'retired' and question.id = change.question_id
    and not exists (
      select from question other
      where other.id <> question.id and other.language = question.language
        and other.text_key = question.text_key and other.retired_at is null)`;
