import { isDeepStrictEqual } from 'node:util';
import {
  type KeptReason,
  RELEASED_FIELDS,
  type ReleasedField,
} from '@proveklar/contract/bank-releases.ts';
import type { Area } from '@proveklar/contract/images.ts';

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

interface Named {
  group: string;
  language: string;
  /** The text; of a question that is retired, the present one. */
  question: string;
  /** Null when the database does not have it. */
  question_id: number | null;
}

export type ReleaseChange = Named & {
  action: 'updated' | 'retired';
  /** What an update changes. */
  fields: ReleasedField[];
};

export type KeptQuestion = Named & { reason: KeptReason };

/** A question as the bank has it. */
export interface PresentQuestion extends ReleasedQuestion {
  id: number;
  is_retired: boolean;
  /** Whether someone else than a release has changed it. */
  is_edited: boolean;
}

/** A question of an earlier release; its id is null when an administrator has deleted it. */
export interface KnownQuestion {
  group: string;
  language: string;
  question_id: number | null;
}

/** Identifies a question of the bank, whatever its text. */
export const keyOf = ({ group, language }: { group: string; language: string }) =>
  `${group} ${language}`;

/** Identifies the text of a question, which an import would find to be a duplicate. */
export const textKeyOf = ({ language, question }: { language: string; question: string }) =>
  `${language} ${question}`;

/** What the bank has. */
interface Bank {
  /** By `keyOf`. */
  present: ReadonlyMap<string, PresentQuestion>;
  /** By `keyOf`. */
  known: ReadonlyMap<string, KnownQuestion>;
  /** The ids of active questions by `textKeyOf` of the released ones that have their text. */
  taken: ReadonlyMap<string, number>;
}

/** What a release would do to a bank. */
interface Comparison {
  updates: (ReleaseChange & { question_id: number; content: ReleasedQuestion })[];
  /** Questions that the release does not have any more. */
  drops: (ReleaseChange & { question_id: number })[];
  /** The released questions that the bank has, changed or not. */
  matched: KnownQuestion[];
  unchanged: number;
  kept: KeptQuestion[];
  missing: ReleasedQuestion[];
}

/**
 * Compares the questions of a release with the bank. What an administrator has edited, retired or deleted is kept, and
 * a question whose new text another one has.
 */
export function compareRelease(
  questions: readonly ReleasedQuestion[],
  { present, known, taken }: Bank,
): Comparison {
  const kept: KeptQuestion[] = [];
  const missing: ReleasedQuestion[] = [];
  const updates: Comparison['updates'] = [];
  const matched: KnownQuestion[] = [];
  let unchanged = 0;
  for (const question of questions) {
    const key = keyOf(question);
    const current = present.get(key);
    const keep = (reason: KeptReason) =>
      kept.push({ ...nameOfQuestion(question, current?.id ?? null), reason });
    if (!current) {
      if (known.has(key)) keep('deleted');
      else missing.push(question);
      continue;
    }
    matched.push({ ...question, question_id: current.id });
    const { id, is_retired, is_edited, ...content } = current;
    const fields = fieldsBetween(content, question);
    if (fields.length === 0) unchanged += 1;
    else if (is_retired) keep('retired');
    else if (is_edited) keep('edited');
    else if ((taken.get(textKeyOf(question)) ?? id) !== id) keep('duplicate');
    else {
      const change = { ...nameOfQuestion(question, id), question_id: id, fields };
      updates.push({ ...change, action: 'updated', content: question });
    }
  }
  const released = new Set(questions.map(keyOf));
  const drops: Comparison['drops'] = [];
  for (const [key, question] of present) {
    if (released.has(key) || question.is_retired) continue;
    const dropped = { ...nameOfQuestion(question, question.id), question_id: question.id };
    if (question.is_edited) kept.push({ ...dropped, reason: 'edited' });
    else drops.push({ ...dropped, action: 'retired', fields: [] });
  }
  return { updates, drops, matched, unchanged, kept, missing };
}

function nameOfQuestion(
  { group, language, question }: ReleasedQuestion,
  question_id: number | null,
): Named {
  return { group, language, question, question_id };
}

/** The fields that differ. */
function fieldsBetween(before: ReleasedQuestion, after: ReleasedQuestion): ReleasedField[] {
  return RELEASED_FIELDS.filter((field) => {
    const name = field === 'image' ? 'image_hash' : field;
    return !isDeepStrictEqual(before[name], after[name]);
  });
}
