import { CURRICULUM } from '@proveklar/contract/curriculum.ts';
import type { Queryable } from '#database/pool.ts';

type Counts = Record<string, number>;

/** How many questions learners can be asked about each subject of the curriculum, by language. */
export interface Coverage {
  as_of: Date;
  /** Norwegian first. */
  languages: string[];
  questions: Counts;
  /** Questions without any tag of the curriculum. */
  outside: Counts;
  subjects: {
    subject: (typeof CURRICULUM)[number]['subject'];
    questions: Counts;
    tags: { tag: string; questions: Counts }[];
  }[];
}

const SUBJECTS = CURRICULUM.map(({ subject, tags }) => ({ subject, tags }));
const TAGS = CURRICULUM.flatMap(({ tags }) => tags);
/** What a learner can be asked. */
const ASKED = 'validated and retired_at is null';

/** Counts the validated, active questions by subject and tag. It reads the whole bank, so call it rarely. */
export async function readCoverage(db: Queryable): Promise<Coverage> {
  const { rows: all } = await db.query<{ language: string; questions: number; outside: number }>(
    `select language, count(*)::int as questions,
            (count(*) filter (where not tags && $1::text[]))::int as outside
     from question where ${ASKED} group by language order by language <> 'no', language`,
    [TAGS],
  );
  // A question with two tags of a subject counts once in the subject.
  const { rows: bySubject } = await db.query<CountOfLanguage & { of: string }>(
    `select subject as of, language, count(*)::int as questions
     from question join jsonb_to_recordset($1) as plan (subject text, tags text[])
       on question.tags && plan.tags
     where ${ASKED} group by subject, language`,
    [JSON.stringify(SUBJECTS)],
  );
  const { rows: byTag } = await db.query<CountOfLanguage & { of: string }>(
    `select tag as of, language, count(*)::int as questions
     from question, unnest(tags) tag where ${ASKED} and tag = any ($1) group by tag, language`,
    [TAGS],
  );
  const subjects = Map.groupBy(bySubject, (row) => row.of);
  const tags = Map.groupBy(byTag, (row) => row.of);
  return {
    as_of: new Date(),
    languages: all.map(({ language }) => language),
    questions: countsOf(all),
    outside: countsOf(
      all
        .filter(({ outside }) => outside > 0)
        .map(({ language, outside }) => ({ language, questions: outside })),
    ),
    subjects: CURRICULUM.map(({ subject, tags: own }) => ({
      subject,
      questions: countsOf(subjects.get(subject) ?? []),
      tags: own.map((tag) => ({ tag, questions: countsOf(tags.get(tag) ?? []) })),
    })),
  };
}

interface CountOfLanguage {
  language: string;
  questions: number;
}

const countsOf = (rows: readonly CountOfLanguage[]): Counts =>
  Object.fromEntries(rows.map(({ language, questions }) => [language, questions]));
