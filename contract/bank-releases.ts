import { type Static, Type } from 'typebox';
import { Closed, OrNull, QuestionLanguage, Timestamp, Uuid } from './common.ts';

// Releases of our question bank: what one would change, and those that were applied.

/** Identifies the files of a release. */
const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of all its questions and pictures.',
});

/** What a release does to a question. */
export const RELEASE_ACTIONS = ['added', 'updated', 'retired'] as const;
export type ReleaseAction = (typeof RELEASE_ACTIONS)[number];

/**
 * Why a question stays as it is: an administrator has edited, retired or deleted it, or another question has the new
 * text.
 */
export const KEPT_REASONS = ['edited', 'retired', 'deleted', 'duplicate'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** The fields that an update can change. */
export const RELEASED_FIELDS = [
  'topic',
  'question',
  'answer',
  'incorrect',
  'incorrect_reasons',
  'explanation',
  'tags',
  'source_url',
  'source_title',
  'checked_at',
  'valid_from',
  'ages',
  'excludes',
  'image',
  'image_alt',
  'areas',
] as const;
export type ReleasedField = (typeof RELEASED_FIELDS)[number];

const Released = {
  group: Type.String(),
  language: QuestionLanguage,
  question: Type.String({ description: 'As the release has it; of a retired one, as it is.' }),
  question_id: OrNull(Type.Integer(), 'Null when the bank does not have it.'),
};

const Change = Closed({
  ...Released,
  action: Type.Enum(RELEASE_ACTIONS),
  fields: Type.Array(Type.Enum(RELEASED_FIELDS), {
    description: 'The fields that an update changes.',
  }),
});

const Kept = Closed({ ...Released, reason: Type.Enum(KEPT_REASONS) });

/** More are only counted. */
export const MAX_LISTED_CHANGES = 500;

const counts = {
  added: Type.Integer(),
  updated: Type.Integer(),
  retired: Type.Integer({ description: 'Questions that the release does not have any more.' }),
};

export const BankReleasePlan = Closed({
  release: Fingerprint,
  languages: Type.Array(
    Closed({
      language: QuestionLanguage,
      questions: Type.Integer(),
      offered: Type.Boolean({ description: 'Whether learners can choose it.' }),
    }),
    { description: 'What the release has.' },
  ),
  ...counts,
  unchanged: Type.Integer(),
  changes: Type.Array(Change, {
    description: `At most ${MAX_LISTED_CHANGES} of each action.`,
  }),
  kept: Type.Array(Kept, { description: 'All that stay as they are.' }),
});
export type BankReleasePlan = Static<typeof BankReleasePlan>;

export const ApplyBankReleaseRequest = Closed({ release: Fingerprint });
export type ApplyBankReleaseRequest = Static<typeof ApplyBankReleaseRequest>;

/** A release that was applied, in the portal or by `npm run bank`. */
const BankRelease = Closed({
  id: Uuid,
  applied_at: Timestamp,
  applied_by: Type.String(),
  ...counts,
  undone_at: OrNull(Timestamp),
});
export type BankRelease = Static<typeof BankRelease>;

/** Why a request failed: the workers have another release than the gateway, or its cause is in their log. */
const BANK_REQUEST_FAILURES = ['other_release', 'failed'] as const;

/** That a release is applied or undone, which workers do. */
export const BankReleaseWork = Closed({
  id: Uuid,
  action: Type.Union([Type.Literal('apply'), Type.Literal('undo')]),
  requested_by: Type.String(),
  requested_at: Timestamp,
  state: Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('failed')]),
  failure: OrNull(Type.Enum(BANK_REQUEST_FAILURES)),
  ended_at: OrNull(Timestamp),
});
export type BankReleaseWork = Static<typeof BankReleaseWork>;

export const BankReleasesResponse = Closed({
  releases: Type.Array(BankRelease, {
    description: 'At most 20, newest first. The first that is not undone can be undone.',
  }),
  work: OrNull(BankReleaseWork, 'The last request, running or ended; null before the first.'),
});
export type BankReleasesResponse = Static<typeof BankReleasesResponse>;

export const BankReleaseParams = Closed({ id: Uuid });
