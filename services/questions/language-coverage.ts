import type { Database } from '#database/pool.ts';
import { readFallback } from '#languages/languages.ts';
import { RevisionCache, readBankRevision } from './revision-cache.ts';

/** How much of the bank exists in a language that has a fallback. */
export interface LanguageCoverage {
  fallback: string;
  /** Questions in the language. */
  questions: number;
  /** These, and the questions that exist in the fallback only. */
  total: number;
  /** In Norwegian alphabetical order. */
  topics: { topic: string; questions: number }[];
}

/** SQL: whether a `question` has no translation in a language (an SQL expression) that learners could get. */
export function isMissingIn(language: string): string {
  return `not exists (
    select from question own
    where own.translation_group = question.translation_group and own.translation_group is not null
      and own.language = ${language} and own.validated and own.retired_at is null)`;
}

const BY_TOPIC = `
  select topic, count(*)::int as questions from question
  where language = $1 and validated and retired_at is null
  group by topic order by topic collate "nb-x-icu"`;

const MISSING = `
  select count(*)::int as missing from question
  where language = $2 and validated and retired_at is null and ${isMissingIn('$1')}`;

const caches = new WeakMap<Database, RevisionCache<LanguageCoverage>>();

/** Null for a language without a fallback that learners are offered. Counts the bank once for each change of it. */
export async function readLanguageCoverage(
  db: Database,
  language: string,
): Promise<LanguageCoverage | null> {
  const fallback = await readFallback(db, language);
  if (fallback === null) return null;
  let cache = caches.get(db);
  if (!cache) caches.set(db, (cache = new RevisionCache()));
  const revision = await readBankRevision(db);
  return cache.get({ key: `${language} ${fallback}`, revision, expires: false }, async () => {
    const [{ rows: topics }, { rows: missing }] = await Promise.all([
      db.query<LanguageCoverage['topics'][number]>(BY_TOPIC, [language]),
      db.query<{ missing: number }>(MISSING, [language, fallback]),
    ]);
    const questions = topics.reduce((sum, topic) => sum + topic.questions, 0);
    return { fallback, questions, total: questions + missing[0]!.missing, topics };
  });
}
