import { nameOf, type Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

// The languages of questions, which are data. A code without a row in `language` is not offered to learners:
// an import accepts any well-formed code, and its report warns about it. The languages of screens and mails
// are in contract/language.ts.

/** The language of a call that names none. It is always offered. */
const DEFAULT_LANGUAGE = 'no';

export interface Language {
  code: string;
  /** The name in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** The language that fills up a practice test, where the bank has only a part of its questions in this one. */
  fallback: string | null;
}

/** A language as an administrator sees it. */
export interface BankLanguage extends Language {
  /** Whether learners are asked questions in it. */
  offered: boolean;
  /** Questions in it that are validated, and not retired. */
  validated: number;
  /** The last change by an administrator; null before the first. */
  updated_at: Date | null;
  updated_by: string | null;
}

/** SQL: whether a language (an SQL expression) is offered to learners. */
export const isOffered = (code: string) => `
  exists (select from language where language.code = ${code} and language.offered)`;

// A fallback that learners are not offered is not used.
const OFFERED_FALLBACK = `
  (select other.code from language other where other.code = language.fallback and other.offered)`;

/** The languages that are offered to learners, Norwegian first. */
export async function listOffered(db: Queryable): Promise<Language[]> {
  const { rows } = await db.query<Language>({
    name: 'list-offered-languages',
    text: `select code, name, direction, ${OFFERED_FALLBACK} as fallback from language where offered
           order by code <> '${DEFAULT_LANGUAGE}', name collate "nb-x-icu"`,
  });
  return rows;
}

/** The fallback of an offered language, if learners are offered it too; otherwise null. */
export async function readFallback(db: Queryable, code: string): Promise<string | null> {
  return (await findOffered(db, code))?.fallback ?? null;
}

/** @throws AppError `language_not_offered` */
export async function requireOffered(
  db: Queryable,
  code: string,
): Promise<{ fallback: string | null }> {
  const found = await findOffered(db, code);
  if (!found) throw new AppError('language_not_offered', { details: { field: 'language' } });
  return found;
}

async function findOffered(db: Queryable, code: string) {
  const { rows } = await db.query<{ fallback: string | null }>({
    name: 'find-offered-language',
    text: `select ${OFFERED_FALLBACK} as fallback from language where code = $1 and offered`,
    values: [code],
  });
  return rows[0];
}

// A loose index scan: jumps from value to value in the unique index (language, text_key), because a bank has
// few languages. Not those whose questions are all of an import that is not complete (as IS_VISIBLE of
// questions/question-filter.ts).
const IN_BANK = `
  with recursive found as (
    (select language as code from question where retired_at is null order by language limit 1)
    union all
    select (select question.language from question
            where retired_at is null and question.language > found.code
            order by question.language limit 1)
    from found where found.code is not null
  )
  select code from found where exists (
    select from question left join question_import on question_import.id = import_id
    where language = code and retired_at is null
      and (import_id is null or state in ('completed', 'undoing', 'undone')))`;

/**
 * Lists the languages of the questions in the bank, and known languages without questions, by name.
 */
export async function listLanguages(db: Queryable): Promise<BankLanguage[]> {
  const { rows } = await db.query<Omit<BankLanguage, 'name' | 'direction'> & Partial<Language>>(
    `select coalesce(language.code, in_bank.code) as code, name, direction, fallback,
            coalesce(offered, false) as offered, updated_at, updated_by,
            (select count(*)::int from question
             where question.language = coalesce(language.code, in_bank.code)
               and validated and retired_at is null) as validated
     from language full join (${IN_BANK}) in_bank on in_bank.code = language.code`,
  );
  const languages = rows.map((row) => ({ ...row, ...languageOf(row) }));
  return languages.toSorted((a, b) => a.name.localeCompare(b.name, 'nb'));
}

/** Lists the language codes of the questions in the bank, in order, and whether each is offered. */
export async function languagesInBank(
  db: Queryable,
): Promise<{ code: string; offered: boolean }[]> {
  const { rows } = await db.query<{ code: string; offered: boolean }>(
    `select code, ${isOffered('in_bank.code')} as offered from (${IN_BANK}) in_bank order by code`,
  );
  return rows;
}

const OFFER = `
  insert into language (code, name, direction, offered, updated_at, updated_by)
  values ($1, $2, $3, true, now(), $4)
  on conflict (code) do update
    set offered = true, updated_at = now(), updated_by = excluded.updated_by
    where not language.offered`;
const WITHDRAW = `
  update language set offered = false, updated_at = now(), updated_by = $2
  where code = $1 and offered`;

/**
 * Offers a language to learners, or withdraws it. Applies to new quizzes; a quiz that was started in the
 * language continues and can be read.
 *
 * @param code a code that matches LANGUAGE_CODE
 * @throws AppError `language_required` when Norwegian would be withdrawn; `account_disabled`
 */
export async function offerLanguage(
  db: Database,
  actor: Actor,
  { code, offered }: { code: string; offered: boolean },
): Promise<BankLanguage[]> {
  if (!offered && code === DEFAULT_LANGUAGE) throw new AppError('language_required');
  const { name, direction } = languageOf({ code });
  await withTransaction(db, async (tx) => {
    const { rowCount } = offered
      ? await tx.query(OFFER, [code, name, direction, nameOf(actor)])
      : await tx.query(WITHDRAW, [code, nameOf(actor)]);
    if (rowCount === 0) return;
    const action = offered ? 'language.offered' : 'language.withdrawn';
    await recordAction(tx, { actor, action, subject: code });
  });
  return listLanguages(db);
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** Completes name and direction of a language from its code (CLDR), where the database has none. */
function languageOf({
  code,
  name,
  direction,
}: Partial<Language> & { code: string }): Omit<Language, 'fallback'> {
  const named =
    name ?? new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code;
  const script = new Intl.Locale(code).maximize().script ?? '';
  const known = direction ?? (RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr');
  return { code, name: named.charAt(0).toUpperCase() + named.slice(1), direction: known };
}
