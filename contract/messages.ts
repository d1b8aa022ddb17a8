import { Type, type Static } from 'typebox';
import { Closed, OrNull, Timestamp, Uuid } from './common.ts';
import { NEWS_TEXTS, type NewsVersion } from './consent-texts.ts';
import { MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH } from './limits.ts';

// Mails that administrators write to learners, and the learner's consent to news.

export const MESSAGE_KINDS = ['service', 'news'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
const Kind = Type.Enum(MESSAGE_KINDS, {
  description: '`service` is about the account; `news` goes only to learners who agreed to it.',
});

export const AUDIENCES = ['all', 'active', 'expired', 'never_practised', 'not_lately'] as const;
export type Audience = (typeof AUDIENCES)[number];
const Audience = Type.Enum(AUDIENCES, {
  description:
    '`active` has access now, `expired` had it; `not_lately` has practised, but not in the last 30 days.',
});

const Text = Closed({
  subject: Type.String({
    minLength: 1,
    maxLength: MAX_SUBJECT_LENGTH,
    pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$',
  }),
  body: Type.String({
    minLength: 1,
    maxLength: MAX_MESSAGE_LENGTH,
    pattern: '\\S',
    description:
      'Paragraphs with an empty line between them. A paragraph `[text](https://…)` becomes a link. The greeting and the end are added.',
  }),
});
export type MessageText = Static<typeof Text>;

const Texts = Type.Object(
  { no: Type.Optional(Text), en: Type.Optional(Text) },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'By language. Learners whose language has no text do not get the message.',
  },
);
export type MessageTexts = Static<typeof Texts>;

export const MessageContent = Closed({ kind: Kind, audience: Audience, texts: Texts });
export type MessageContent = Static<typeof MessageContent>;

export const ChangeMessageRequest = Closed({
  ...MessageContent.properties,
  revision: Type.Integer({ minimum: 1, description: 'The revision that was edited.' }),
});
export type ChangeMessageRequest = Static<typeof ChangeMessageRequest>;

const Count = Type.Integer({ minimum: 0 });

export const SKIP_REASONS = [
  'recent',
  'refused_before',
  'no_address',
  'withdrawn',
  'closed',
  'interrupted',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const Counts = Closed(
  {
    queued: Count,
    sent: Count,
    refused: Type.Integer({ minimum: 0, description: 'Refused for good by the receiving server.' }),
    skipped: Closed(
      {
        recent: Count,
        refused_before: Count,
        no_address: Count,
        withdrawn: Count,
        closed: Count,
        interrupted: Count,
      },
      {
        description:
          'Why learners of the audience did not get it: a message in the last seven days; an address that has refused mail; one that is neither verified nor paid under; a consent that was withdrawn meanwhile; a closed account; news whose worker was killed while it sent them.',
      },
    ),
  },
  { description: 'Learners, by what came of the message.' },
);
export type MessageCounts = Static<typeof Counts>;

export const Message = Closed({
  id: Uuid,
  ...MessageContent.properties,
  state: Type.Enum(['draft', 'sending', 'stopped', 'sent'] as const),
  revision: Type.Integer(),
  is_tested: Type.Boolean({ description: 'Whether this revision was mailed to its writer.' }),
  created_by: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  started_at: OrNull(Timestamp),
  ended_at: OrNull(Timestamp),
  total: OrNull(Count, 'Learners in the audience when sending began.'),
  counts: Counts,
});
export type Message = Static<typeof Message>;

export const MessagesQuery = Closed({ before: Type.Optional(Uuid) });
export const MessagesResponse = Closed({
  messages: Type.Array(Message, { description: 'The newest first, 20 on a page.' }),
  next_before: OrNull(Uuid, '`before` of the next page; null on the last one.'),
});
export type MessagesResponse = Static<typeof MessagesResponse>;

export const MessageParams = Closed({ id: Uuid });
export const PreviewQuery = Closed({ language: Type.Enum(['no', 'en'] as const) });
export const MessagePreview = Closed({
  subject: Type.String(),
  text: Type.String({ description: 'The mail as plain text.' }),
});
export type MessagePreview = Static<typeof MessagePreview>;

export const AudienceQuery = Closed({
  kind: Kind,
  audience: Audience,
  languages: Type.String({ pattern: '^(no|en|no,en)$', description: 'Separated by commas.' }),
});
export const AudienceResponse = Closed({
  total: Type.Integer({ minimum: 0, description: 'Learners in the audience.' }),
  recent: Type.Integer({
    minimum: 0,
    description: 'Of these, those who got another message in the last seven days.',
  }),
  refused_before: Type.Integer({
    minimum: 0,
    description: 'Of these, those whose address has refused mail.',
  }),
});
export type AudienceResponse = Static<typeof AudienceResponse>;

export const NewsConsentRequest = Closed({
  news: Type.Boolean({ description: 'Consent to news by mail, or its withdrawal.' }),
  consent: Type.Optional(
    Type.Enum(Object.keys(NEWS_TEXTS) as NewsVersion[], {
      description: 'The version of the text that was agreed to. Required to agree.',
    }),
  ),
});
export type NewsConsentRequest = Static<typeof NewsConsentRequest>;

export const NewsConsentResponse = Closed({
  news: Type.Boolean(),
  agreed_at: OrNull(Timestamp, 'Null without a consent.'),
});
export type NewsConsentResponse = Static<typeof NewsConsentResponse>;
