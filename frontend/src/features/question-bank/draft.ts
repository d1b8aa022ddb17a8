import { IMAGE_FAULTS } from '@proveklar/contract/image-faults.ts';
import { AREA_SHAPE, MAX_IMAGE_LENGTH, MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import type {
  CreateQuestionRequest,
  EditQuestionRequest,
} from '@proveklar/contract/question-writing.ts';
import type { BankQuestion, QuestionVersion } from '@proveklar/contract/questions.ts';

/** The texts in the fields of the form. */
export interface Draft {
  question: string;
  answer: string;
  /** In order; the key identifies a field while it is moved. */
  incorrect: readonly { key: number; text: string; reason: string; area: string }[];
  topic: string;
  explanation: string;
  source_url: string;
  source_title: string;
  checked_at: string;
  valid_from: string;
  /** A year. */
  ages: string;
  /** Groups, separated by commas. */
  excludes: string;
  /** Separated by commas. */
  tags: string;
  /** The address of the picture, or a new one as a data URI; empty without one. */
  image: string;
  image_alt: string;
  /** Where the key is in the picture; the areas of wrong answers are with these. */
  area: string;
}

/** The errors of fields, by path: `incorrect.2`. */
export type Faults = Readonly<Record<string, FaultReason>>;
const REASONS = [
  'blank',
  'too_long',
  'too_few',
  'too_many',
  'same_twice',
  'reserved_name',
  'not_a_date',
  'not_a_year',
  'not_a_web_address',
  'unstorable',
  'duplicate',
  ...IMAGE_FAULTS,
  'not_a_shape',
  'area_missing',
  'invalid',
] as const;
export type FaultReason = (typeof REASONS)[number];

/** A practice test shows the key and this many wrong answers, the first ones. */
export const SHOWN_IN_TEST = 2;

export function toDraft(question: BankQuestion): Draft {
  const areaOf = (option: string) =>
    question.areas?.find(({ name }) => name === option)?.shape ?? '';
  return {
    question: question.question,
    answer: question.answer,
    incorrect: question.incorrect.map((text, key) => ({
      key,
      text,
      reason: question.incorrect_reasons?.[key] ?? '',
      area: areaOf(text),
    })),
    topic: question.topic,
    explanation: question.explanation ?? '',
    source_url: question.source_url ?? '',
    source_title: question.source_title ?? '',
    checked_at: question.checked_at ?? '',
    valid_from: question.valid_from ?? '',
    ages: question.ages?.toString() ?? '',
    excludes: question.excludes.join(', '),
    tags: question.tags.join(', '),
    image: question.image?.url ?? '',
    image_alt: question.image?.alt ?? '',
    area: areaOf(question.answer),
  };
}

/** What a version says. Tags have no versions, because learners do not see them: they are left out. */
export function versionDraft(version: BankQuestion | QuestionVersion): Draft {
  return toDraft({ ...version, tags: [] as string[] } as BankQuestion & QuestionVersion);
}

/** An empty form, with as many wrong answers as most questions have. */
export const EMPTY_DRAFT: Draft = {
  question: '',
  answer: '',
  incorrect: [0, 1, 2].map((key) => ({ key, text: '', reason: '', area: '' })),
  topic: '',
  explanation: '',
  source_url: '',
  source_title: '',
  checked_at: '',
  valid_from: '',
  ages: '',
  excludes: '',
  tags: '',
  image: '',
  image_alt: '',
  area: '',
};

/** What a translation has in common with its original; its texts are to be written. */
export function toTranslation(original: BankQuestion): Draft {
  const draft = toDraft(original);
  const texts = { question: '', answer: '', explanation: '', topic: '', image_alt: '' };
  const incorrect = draft.incorrect.map((one) => ({ ...one, text: '', reason: '' }));
  return { ...draft, ...texts, incorrect };
}

/** Versions that two editors made of one question. A field is in one list at most. */
export interface Differences {
  /** Changed by the other editor only. */
  theirs: (keyof Draft)[];
  /** Changed by both, and not to the same. */
  both: (keyof Draft)[];
}

/** How a draft and a newer stored version differ, both of which began as `base`. */
export function compareDrafts(base: Draft, mine: Draft, theirs: Draft): Differences {
  const own = new Set(changedFields(mine, base));
  const others = changedFields(theirs, base);
  const differing = new Set(changedFields(mine, theirs));
  return {
    theirs: others.filter((field) => !own.has(field)),
    both: others.filter((field) => own.has(field) && differing.has(field)),
  };
}

/** The draft with these fields of the newer version. */
export function mergeDrafts(mine: Draft, theirs: Draft, fields: readonly (keyof Draft)[]): Draft {
  return { ...mine, ...Object.fromEntries(fields.map((field) => [field, theirs[field]])) };
}

export function toRequest(
  draft: Draft,
  { version, revision }: { version: number; revision: number },
): EditQuestionRequest {
  return { version, revision, ...toContent(draft) };
}

/** @param of the question that it translates, or that it began as a copy of */
export function toCreateRequest(
  draft: Draft,
  language: string,
  of?: { id: number; isTranslation: boolean },
): CreateQuestionRequest {
  const isKept = draft.image !== '' && !isNewImage(draft.image);
  return {
    language,
    ...toContent(draft),
    ...(of && isKept && { picture_of: of.id }),
    ...(of?.isTranslation && { translation_of: of.id }),
  };
}

function toContent(draft: Draft) {
  const orNull = (text: string) => text.trim() || null;
  const ages = orNull(draft.ages);
  return {
    question: draft.question.trim(),
    answer: draft.answer.trim(),
    incorrect: draft.incorrect.map(({ text }) => text.trim()),
    incorrect_reasons: draft.incorrect.map(({ reason }) => orNull(reason)),
    topic: draft.topic.trim(),
    explanation: orNull(draft.explanation),
    source_url: orNull(draft.source_url),
    source_title: orNull(draft.source_title),
    checked_at: orNull(draft.checked_at),
    valid_from: orNull(draft.valid_from),
    ages: ages === null ? null : Number(ages),
    excludes: listOf(draft.excludes),
    tags: listOf(draft.tags),
    ...toPicture(draft),
  };
}

/** Whether the picture is to be sent: it is not the stored one. */
const isNewImage = (image: string) => image.startsWith('data:');

function toPicture(draft: Draft) {
  if (draft.image === '') return { image: null, image_alt: null, areas: null };
  const areas = [{ text: draft.answer, area: draft.area }, ...draft.incorrect].map(
    ({ text, area }) => ({ name: text.trim(), shape: tidyShape(area) }),
  );
  return {
    ...(isNewImage(draft.image) && { image: draft.image }),
    image_alt: draft.image_alt.trim(),
    areas: areas.some(({ shape }) => shape !== '') ? areas : null,
  };
}

/** With single spaces between the points. */
export const tidyShape = (shape: string) => shape.trim().replaceAll(/\s+/gu, ' ');

const listOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** The fields in which a draft differs from the stored question. */
export function changedFields(draft: Draft, stored: Draft): (keyof Draft)[] {
  const textOf = (of: Draft, field: keyof Draft) =>
    field === 'incorrect'
      ? JSON.stringify(of.incorrect.map(({ text, reason, area }) => [text, reason, area]))
      : of[field];
  const fields = Object.keys(stored) as (keyof Draft)[];
  return fields.filter((field) => textOf(draft, field) !== textOf(stored, field));
}

/** The errors that can be found before sending. */
export function faultsOf(draft: Draft): Faults {
  const faults: Record<string, FaultReason> = {};
  const { question, answer, topic, incorrect, source_url: source } = draft;
  for (const [field, text] of Object.entries({ question, answer, topic })) {
    if (text.trim() === '') faults[field] = 'blank';
  }
  if (isTopicTooLong(topic)) faults.topic = 'too_long';
  const seen = new Set([answer.normalize().trim()]);
  for (const [place, { text }] of incorrect.entries()) {
    const known = text.normalize().trim();
    if (known === '') faults[`incorrect.${place}`] = 'blank';
    else if (seen.has(known)) faults[`incorrect.${place}`] = 'same_twice';
    seen.add(known);
  }
  if (source.trim() && !/^https?:\/\//u.test(source.trim())) {
    faults.source_url = 'not_a_web_address';
  }
  if (draft.ages.trim() && !/^2\d{3}$/u.test(draft.ages.trim())) faults.ages = 'not_a_year';
  return { ...faults, ...pictureFaults(draft) };
}

function pictureFaults({ image, image_alt: alt, area, incorrect }: Draft): Faults {
  if (image === '') return {};
  const faults: Record<string, FaultReason> = {};
  if (image.length > MAX_IMAGE_LENGTH) faults.image = 'image_too_large';
  if (alt.trim() === '') faults.image_alt = 'blank';
  const areas = [area, ...incorrect.map((one) => one.area)].map(tidyShape);
  if (areas.every((shape) => shape === '')) return faults;
  for (const [place, shape] of areas.entries()) {
    if (shape === '') faults[`areas.${place}`] = 'area_missing';
    else if (!new RegExp(AREA_SHAPE, 'u').test(shape)) faults[`areas.${place}`] = 'not_a_shape';
  }
  return faults;
}

/** Checked instead of limiting the field, which would silently cut off pasted text. */
export function isTopicTooLong(topic: string): boolean {
  return Array.from(topic.trim()).length > MAX_TOPIC_LENGTH;
}

/** The errors that the API returned. */
export function readFaults(details: Record<string, unknown>): Faults {
  const listed = Array.isArray(details.faults) ? (details.faults as unknown[]) : [details];
  const entries = listed.flatMap((fault) => {
    const { field, reason } = fault as { field?: unknown; reason?: unknown };
    if (typeof field !== 'string') return [];
    return [[field, REASONS.find((known) => known === reason) ?? 'invalid'] as const];
  });
  return Object.fromEntries(entries);
}
