import { type ExamProfile, ExamProfileRequest } from '@proveklar/contract/settings.ts';
import { faultyFields } from '#lib/faulty-fields.ts';
import { readWhole } from './read-number.ts';

export const EXAM_NUMBERS = [
  'questions_shown',
  'questions_counted',
  'pass_mark',
  'minutes',
] as const;
export type ExamField = keyof ExamProfileRequest;
export type ExamTexts = Record<ExamField, string>;

/** What the fields of the form hold at first. */
export function examTexts(profile: ExamProfile): ExamTexts {
  const { questions_shown, questions_counted, pass_mark, minutes, source_url, checked_at } =
    profile;
  return {
    questions_shown: String(questions_shown),
    questions_counted: String(questions_counted),
    pass_mark: String(pass_mark),
    minutes: String(minutes),
    source_url,
    checked_at,
  };
}

/** The figures that were written, or the fields in which something cannot be right. */
export function readExam(
  texts: ExamTexts,
  today: string,
): { figures: ExamProfileRequest; faults: ExamField[] } {
  const number = (field: (typeof EXAM_NUMBERS)[number]) => readWhole(texts[field]) ?? 0;
  const figures = {
    questions_shown: number('questions_shown'),
    questions_counted: number('questions_counted'),
    pass_mark: number('pass_mark'),
    minutes: number('minutes'),
    source_url: texts.source_url.trim(),
    checked_at: texts.checked_at,
  };
  const { questions_shown: shown, questions_counted: counted, checked_at: day } = figures;
  const refused = faultyFields(ExamProfileRequest, figures);
  // What no single field shows.
  if (counted > shown) refused.push('questions_counted');
  if (figures.pass_mark > counted) refused.push('pass_mark');
  if (day > today) refused.push('checked_at');
  const fields = Object.keys(figures) as ExamField[];
  return { figures, faults: fields.filter((field) => refused.includes(field)) };
}

/** Whether figures were last compared with their source more than a year before a day. */
export function isOld(checkedAt: string, today: string): boolean {
  return `${Number(checkedAt.slice(0, 4)) + 1}${checkedAt.slice(4)}` < today;
}

/** `YYYY-MM-DD` where the service is. */
export function todayInNorway(now = new Date()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(now);
}
