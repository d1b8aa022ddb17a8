import { CURRICULUM } from '@proveklar/contract/curriculum.ts';
import { type BankFile, faultAt, TOPICS } from './bank.ts';

/** Adds a question to the free sample; it belongs to no subject. */
const SAMPLE_TAG = 'smakebit';
const MAX_SUBJECT_TAGS = 3;

/** A closed list: each must have enough questions to report on, so there are at most 60. */
const SUBJECT_TAGS: ReadonlySet<string> = new Set(CURRICULUM.flatMap(({ tags }) => tags));

/** All tags that a question may have. */
export const TAGS: readonly string[] = [...SUBJECT_TAGS, SAMPLE_TAG];

/** Tags outside the list, too few or too many, and tags that no question has. */
export function tagFaults(files: BankFile[]): string[] {
  const entries = files.flatMap((file) => file.entries);
  const faults = entries.flatMap((entry) => {
    const tags = entry.question.tags ?? [];
    const subjectTags = tags.filter((tag) => tag !== SAMPLE_TAG);
    const unlisted = subjectTags.filter((tag) => !SUBJECT_TAGS.has(tag));
    const found = unlisted.map((tag) => `tag "${tag}" is not in the list`);
    if (subjectTags.length === 0) found.push('has no tag of a subject');
    if (subjectTags.length > MAX_SUBJECT_TAGS) {
      found.push(`has more than ${MAX_SUBJECT_TAGS} tags of subjects`);
    }
    return found.map((fault) => faultAt(entry, fault));
  });
  return [...faults, ...unusedTags(files)];
}

/** Says nothing before the bank is complete: each tag belongs to some topic. */
function unusedTags(files: BankFile[]): string[] {
  const slugs = new Set(files.map(({ slug }) => slug));
  const entries = files.flatMap((file) => file.entries);
  if (slugs.size < Object.keys(TOPICS).length) return [];
  const used = new Set(entries.flatMap(({ question }) => question.tags ?? []));
  return TAGS.filter((tag) => !used.has(tag)).map((tag) => `no question has the tag "${tag}"`);
}
