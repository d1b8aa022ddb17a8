import { GLOSSARY_WORD } from '@proveklar/contract/hard-words.ts';
import {
  MAX_GLOSSARY_ENTRIES,
  MAX_GLOSSARY_EXPLANATION_LENGTH,
  MAX_GLOSSARY_FORMS,
  MAX_GLOSSARY_WORD_LENGTH,
} from '@proveklar/contract/limits.ts';
import { nameOf, type Actor } from '#audit/actor.ts';
import { changesBetween, recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

// The glossary: hard words of questions, which learners can have explained. A word, or one of its inflected
// forms, belongs to one entry.

export interface GlossaryContent {
  word: string;
  forms: string[];
  norwegian: string;
  english: string;
}

export interface GlossaryEntry extends GlossaryContent {
  id: string;
  /** Every change increments it. */
  revision: number;
  updated_at: Date;
  /** The name of the administrator, or of a program. */
  updated_by: string;
}

const PAGE_SIZE = 50;

const FORMS = `
  array(select form from glossary_form
        where entry_id = entry.id and position > 0 order by position) as forms`;
const ENTRIES = `
  select id, word, ${FORMS}, norwegian, english, revision, updated_at, updated_by
  from glossary_entry entry`;
const BY_WORD = `order by word collate "nb-x-icu", id`;

/**
 * Lists a page of the entries with `search` in a word, a form or an explanation, in Norwegian alphabetical
 * order.
 *
 * @param page from 1
 */
export async function listGlossary(
  db: Queryable,
  { search, page }: { search: string; page: number },
): Promise<{ entries: GlossaryEntry[]; total: number; page: number; page_size: number }> {
  const where = `
    where $1 = ''
      or exists (select from glossary_form where entry_id = entry.id and strpos(form_key, $1) > 0)
      or strpos(lower(norwegian), $1) > 0 or strpos(lower(english), $1) > 0`;
  const values = [keyOf(search)];
  const { rows: counted } = await db.query<{ total: number }>(
    `select count(*)::int as total from glossary_entry entry ${where}`,
    values,
  );
  const { rows: entries } = await db.query<GlossaryEntry>(
    `${ENTRIES} ${where} ${BY_WORD} limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`,
    values,
  );
  return { entries, total: counted[0]!.total, page, page_size: PAGE_SIZE };
}

/** Reads the whole glossary, in Norwegian alphabetical order. */
export async function readGlossary(db: Queryable): Promise<GlossaryEntry[]> {
  const { rows } = await db.query<GlossaryEntry>({
    name: 'read-glossary',
    text: `${ENTRIES} ${BY_WORD}`,
  });
  return rows;
}

/**
 * Adds an entry.
 *
 * @throws AppError `validation_failed`, also when the glossary is full; `glossary_word_taken`, `account_disabled`
 */
export async function createEntry(
  db: Database,
  actor: Actor,
  given: GlossaryContent,
): Promise<GlossaryEntry> {
  const content = requireValid(given);
  return withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const { rows } = await tx.query<{ count: number }>(
      'select count(*)::int as count from glossary_entry',
    );
    if (rows[0]!.count >= MAX_GLOSSARY_ENTRIES) {
      throw new AppError('validation_failed', {
        message: `The glossary has ${MAX_GLOSSARY_ENTRIES} entries. Delete one before you add another.`,
        details: { reason: 'glossary_full' },
      });
    }
    const id = crypto.randomUUID();
    await requireFree(tx, id, content);
    await saveEntries(tx, actor, [{ id, ...content }]);
    await recordAction(tx, {
      actor,
      action: 'glossary.created',
      subject: content.word,
      details: { ...content },
    });
    return readEntry(tx, id);
  });
}

/**
 * Replaces the content of an entry. Without a change nothing is written or recorded.
 *
 * @param revision the one that was edited
 * @throws AppError `not_found`, `glossary_changed`, `validation_failed`,
 *   `glossary_word_taken`, `account_disabled`
 */
export async function changeEntry(
  db: Database,
  actor: Actor,
  { id, revision, ...given }: GlossaryContent & { id: string; revision: number },
): Promise<GlossaryEntry> {
  const content = requireValid(given);
  return withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const entry = await readEntry(tx, id);
    if (entry.revision !== revision) throw new AppError('glossary_changed');
    await requireFree(tx, id, content);
    const changes = differences(entry, content);
    if (Object.keys(changes).length === 0) return entry;
    await saveEntries(tx, actor, [{ id, ...content }]);
    await recordAction(tx, {
      actor,
      action: 'glossary.updated',
      subject: content.word,
      details: { changes },
    });
    return readEntry(tx, id);
  });
}

/** @throws AppError `not_found`, `account_disabled` */
export async function deleteEntry(db: Database, actor: Actor, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const { word, forms, norwegian, english } = await readEntry(tx, id);
    await tx.query('delete from glossary_entry where id = $1', [id]);
    await recordAction(tx, {
      actor,
      action: 'glossary.deleted',
      subject: word,
      details: { word, forms, norwegian, english },
    });
  });
}

/** Serializes changes, so that a form that was free is still free when it is written. Reads go on. */
export async function lockGlossary(tx: Transaction): Promise<void> {
  await tx.query('lock table glossary_entry in share row exclusive mode');
}

/** Creates or replaces entries, whose forms must be free of other entries. */
export async function saveEntries(
  tx: Transaction,
  actor: Actor,
  entries: readonly (GlossaryContent & { id: string })[],
): Promise<void> {
  const ids = entries.map(({ id }) => id);
  await tx.query(
    `insert into glossary_entry (id, word, norwegian, english, updated_by)
     select id, word, norwegian, english, $5
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
       as given (id, word, norwegian, english)
     on conflict (id) do update
       set word = excluded.word, norwegian = excluded.norwegian, english = excluded.english,
           revision = glossary_entry.revision + 1, updated_at = now(),
           updated_by = excluded.updated_by`,
    [
      ids,
      entries.map(({ word }) => word),
      entries.map(({ norwegian }) => norwegian),
      entries.map(({ english }) => english),
      nameOf(actor),
    ],
  );
  await tx.query('delete from glossary_form where entry_id = any ($1)', [ids]);
  const forms = entries.flatMap(({ id, word, forms }) =>
    [word, ...forms].map((form, position) => ({ id, form, position })),
  );
  await tx.query(
    `insert into glossary_form (form_key, form, entry_id, position)
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::int[])`,
    [
      forms.map(({ form }) => keyOf(form)),
      forms.map(({ form }) => form),
      forms.map(({ id }) => id),
      forms.map(({ position }) => position),
    ],
  );
}

async function readEntry(db: Queryable, id: string): Promise<GlossaryEntry> {
  const { rows } = await db.query<GlossaryEntry>(`${ENTRIES} where id = $1`, [id]);
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

async function requireFree(tx: Transaction, id: string, { word, forms }: GlossaryContent) {
  const { rows } = await tx.query<{ form_key: string; word: string }>(
    `select form_key, word from glossary_form
     join glossary_entry on glossary_entry.id = glossary_form.entry_id
     where form_key = any ($1) and entry_id <> $2
     order by glossary_form.position, form_key limit 1`,
    [[word, ...forms].map(keyOf), id],
  );
  const [taken] = rows;
  if (!taken) return;
  const value = [word, ...forms].find((form) => keyOf(form) === taken.form_key)!;
  throw new AppError('glossary_word_taken', {
    details: { field: value === word ? 'word' : 'forms', value, word: taken.word },
  });
}

/** The content with texts in NFC and single spaces, without forms that repeat the word or each other. */
export function tidyContent({ word, forms, norwegian, english }: GlossaryContent): GlossaryContent {
  const seen = new Set(['', keyOf(word)]);
  const isNew = (form: string) => seen.size < seen.add(keyOf(form)).size;
  return {
    word: tidy(word),
    forms: forms.map(tidy).filter(isNew),
    norwegian: tidy(norwegian),
    english: tidy(english),
  };
}

const RULES = {
  missing: 'must not be empty',
  too_long: 'is too long',
  too_many: `has more than ${MAX_GLOSSARY_FORMS} values`,
  not_a_word: 'must be letters and digits, with single spaces or hyphens between words',
};

/** Why content cannot be saved. */
interface ContentFault {
  field: keyof GlossaryContent;
  reason: keyof typeof RULES;
  /** The form at fault, if it is one. */
  value: string;
}

/** The first fault of tidy content. */
export function faultOf(content: GlossaryContent): ContentFault | undefined {
  if (content.forms.length > MAX_GLOSSARY_FORMS) {
    return { field: 'forms', reason: 'too_many', value: '' };
  }
  const words = [
    { field: 'word', text: content.word } as const,
    ...content.forms.map((text) => ({ field: 'forms', text }) as const),
  ];
  for (const { field, text } of words) {
    if (text === '') return { field, reason: 'missing', value: '' };
    if (lengthOf(text) > MAX_GLOSSARY_WORD_LENGTH) {
      return { field, reason: 'too_long', value: text };
    }
    if (!GLOSSARY_WORD.test(text)) return { field, reason: 'not_a_word', value: text };
  }
  for (const field of ['norwegian', 'english'] as const) {
    if (content[field] === '') return { field, reason: 'missing', value: '' };
    if (lengthOf(content[field]) > MAX_GLOSSARY_EXPLANATION_LENGTH) {
      return { field, reason: 'too_long', value: '' };
    }
  }
  return undefined;
}

function requireValid(given: GlossaryContent): GlossaryContent {
  const content = tidyContent(given);
  const fault = faultOf(content);
  if (!fault) return content;
  throw new AppError('validation_failed', {
    message: `${fault.field} ${RULES[fault.reason]}`,
    details: { part: 'body', ...fault },
  });
}

/** The fields that differ, each with the value before and after. */
export function differences(before: GlossaryContent, after: GlossaryContent) {
  const flat = ({ word, forms, norwegian, english }: GlossaryContent) => ({
    word,
    forms: forms.join(', '),
    norwegian,
    english,
  });
  return changesBetween(flat(before), flat(after));
}

/** What forms are compared by. */
export function keyOf(form: string): string {
  return tidy(form).toLowerCase();
}

function tidy(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
