import { type ExamProfile, ExamProfileRequest } from '@proveklar/contract/settings.ts';
import { faultyFields } from '#components/admin/faulty-fields.ts';
import { readWhole } from './read-number.ts';

export const EXAM_NUMBERS = [
  'questions_shown',
  'questions_counted',
  'pass_mark',
  'minutes',
] as const;
export type ExamField = keyof ExamProfileRequest;
export type ExamTexts = Record<ExamField, string>;

/** The initial texts of the form's fields. */
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

/** The numbers that were typed, or the invalid fields. */
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
  // Rules that involve more than one field.
  if (counted > shown) refused.push('questions_counted');
  if (figures.pass_mark > counted) refused.push('pass_mark');
  if (day > today) refused.push('checked_at');
  const fields = Object.keys(figures) as ExamField[];
  return { figures, faults: fields.filter((field) => refused.includes(field)) };
}

/** Whether the numbers were last compared with their source more than a year ago. */
export function isOld(checkedAt: string, today: string): boolean {
  return `${Number(checkedAt.slice(0, 4)) + 1}${checkedAt.slice(4)}` < today;
}

/** Today's date in Norway as `YYYY-MM-DD`. */
export function todayInNorway(now = new Date()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(now);
}
