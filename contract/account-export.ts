import { Type, type Static } from 'typebox';
import { Closed, Language, OrNull, Timestamp, Uuid } from './common.ts';
import { Readiness } from './learning.ts';
import { PAYMENT_PURPOSES } from './payment.ts';

// The data export: everything that we store about a learner.

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Nok = Type.String({
  pattern: '^\\d+[.]\\d{2}$',
  description: 'Kroner with two decimals, including VAT.',
});

const Account = Closed({
  id: Uuid,
  user_id: Type.String({ description: "The sign-in service's id of the user." }),
  email: Text,
  email_changed_at: OrNull(Timestamp),
  email_verified: OrNull(
    Type.Boolean(),
    "Whether a sign-in has proved that the address is the learner's. Null: not known yet.",
  ),
  tokens_valid_after: OrNull(
    Timestamp,
    'Tokens from sign-ins before this time are refused. Null: sessions were never revoked.',
  ),
  display_name: OrNull(Text),
  language: Language,
  registered_at: Timestamp,
  access_until: OrNull(Timestamp),
  told_of_end_at: OrNull(Timestamp, 'The end of access that the last reminder mail was about.'),
  last_seen_on: OrNull(Text, 'The last day in Norway on which you used the account.'),
  warned_of_deletion_at: OrNull(
    Timestamp,
    'When we warned you that the account will be deleted, because you do not use it.',
  ),
});

const SignIn = Closed(
  {
    email: Text,
    display_name: OrNull(Text),
    has_password: Type.Boolean(),
    created_at: OrNull(Timestamp),
    last_signed_in_at: OrNull(Timestamp),
    last_refreshed_at: OrNull(Timestamp),
  },
  {
    description:
      'What the sign-in service stores for us. It stores only a hash of the password, which is not exported.',
  },
);

/** The days that a payment, a code or an administrator gave to an account. */
export const Access = Closed({
  given_for: Type.Enum(['payment', 'grant', 'code'] as const),
  payment_id: OrNull(Uuid),
  note: OrNull(Text, 'Why days were given without a payment.'),
  given_at: Timestamp,
  days: Count,
  days_taken_back: Count,
  starts_at: Timestamp,
  ends_at: Timestamp,
});

const Receipt = Closed({
  number: Count,
  issued_at: Timestamp,
  amount_nok: Nok,
  vat_nok: Nok,
  vat_percent: Count,
  service_days: Count,
  period_starts_at: Timestamp,
  period_ends_at: Timestamp,
  seller_name: OrNull(Text),
  seller_organisation_number: OrNull(Text),
  seller_address: OrNull(Text),
});

const Payment = Closed({
  id: Uuid,
  kind: Type.Enum(PAYMENT_PURPOSES),
  state: Text,
  begun_at: Timestamp,
  paid_at: OrNull(Timestamp),
  cancelled_at: OrNull(Timestamp),
  cancel_reason: OrNull(Text),
  amount_nok: Nok,
  refunded_nok: Nok,
  service_days: Count,
  email: OrNull(Text, 'As typed in a registration or for a packet of codes.'),
  name: OrNull(Text, 'As typed in a registration; of a packet, the organisation.'),
  language: Language,
  network_address: OrNull(
    Text,
    "Stored for a day. Null in an unfinished registration, where it may be another person's.",
  ),
  stripe_payment_intent: OrNull(Text),
  consent: OrNull(Closed({ version: Text, given_at: Timestamp })),
  receipt: OrNull(Receipt),
  refunds: Type.Array(
    Closed({
      amount_nok: Nok,
      reason: Text,
      state: Text,
      requested_at: Timestamp,
      changed_at: Timestamp,
    }),
  ),
  disputes: Type.Array(
    Closed({ status: Text, reason: Text, amount_nok: Nok, opened_at: Timestamp }),
  ),
  packet: OrNull(
    Closed({
      codes: Count,
      used: Count,
      organisation: Text,
      organisation_number: OrNull(Text),
      expires_at: OrNull(Timestamp),
    }),
    'The packet of codes that was bought, for that purpose.',
  ),
  declined_cards: Type.Array(Closed({ code: OrNull(Text), declined_at: Timestamp })),
});

const Report = Closed({
  question: Text,
  uuid: Uuid,
  quiz_id: Uuid,
  reason: OrNull(Text),
  comment: OrNull(Text),
  state: Type.Enum(['open', 'fixed', 'dismissed'] as const),
  reported_at: Timestamp,
  closed_at: OrNull(Timestamp),
});

const Mail = Closed({
  kind: Text,
  language: Language,
  begun_at: Timestamp,
  sent_at: OrNull(Timestamp),
  refused_at: OrNull(Timestamp, 'When the receiving server rejected it.'),
});

const ReceivedMessage = Closed({
  kind: Type.Enum(['service', 'news'] as const),
  subject: Text,
  state: Type.Enum(['queued', 'sent', 'refused', 'skipped'] as const),
  at: Timestamp,
});

const NewsConsent = Closed({
  version: Type.String({ description: 'The version of the text that you last agreed to.' }),
  agreed_at: Timestamp,
  withdrawn_at: OrNull(Timestamp),
});

const CorrectedResult = Closed({
  quiz_id: Uuid,
  corrected_at: Timestamp,
  right_answers_before: Count,
  right_answers_after: Count,
});

const Learning = Closed({
  plan: OrNull(
    Closed({
      exam: Text,
      exam_date: OrNull(Text),
      daily_goal: Count,
      reminders: Type.Boolean(),
      reminders_changed_at: OrNull(Timestamp, 'When they were last turned on or off.'),
      reminders_consent: OrNull(Text, 'The version of the text that you last agreed to.'),
      reminders_agreed_at: OrNull(Timestamp),
      reminders_unanswered: Type.Integer({
        description: 'Reminders in a row after which you did not practise.',
      }),
      reminders_stopped: OrNull(Text, 'Why we stopped them: `unanswered` or `refused`.'),
      last_reminded_on: OrNull(Text),
      support_access: Type.Boolean({
        description: 'Whether support may see progress and readiness.',
      }),
      auto_advance: OrNull(
        Type.Boolean(),
        'Whether quizzes go on by themselves after the feedback; null until you choose.',
      ),
      outcome_answered_for: OrNull(
        Text,
        'The exam date for which you answered, or declined to answer, how it went.',
      ),
    }),
    'Null until you make a plan.',
  ),
  readiness: OrNull(
    Readiness,
    'Computed when you download it, for the questions in the language of the account. Null while the service does not say it.',
  ),
  questions: Type.Array(
    Closed({
      uuid: Uuid,
      times_shown: Count,
      times_right: Count,
      first_correct: Type.Boolean(),
      last_correct: Type.Boolean(),
      last_answered_at: Timestamp,
      stability_days: Type.Number({
        description:
          'Days after the answer at which you still remember it with a probability of 90 %.',
      }),
      difficulty: Type.Number({ description: 'From 1 to 10, for you.' }),
      due_on: Text,
    }),
  ),
});

const LimitedCall = Closed({
  call: Type.Enum(['export', 'profile_change', 'code'] as const),
  made_at: Timestamp,
});

const UnderTheAddress = Closed({
  email: Text,
  unfinished_registrations: Type.Array(Payment, {
    description: 'Registrations without an account, and packets of codes.',
  }),
  registrations_with_code: Type.Array(Closed({ tried_at: Timestamp }), {
    description: 'Registrations with a code that are not complete. Stored for a day.',
  }),
  free_registrations: Type.Array(Closed({ tried_at: Timestamp })),
  payment_searches: Type.Array(Closed({ searched_at: Timestamp })),
  password_requests: Type.Array(Closed({ requested_at: Timestamp })),
  administration: Type.Array(Closed({ done_at: Timestamp, action: Text, note: OrNull(Text) }), {
    description: 'Actions of administrators on the user with this address, with their notes.',
  }),
  withdrawal_remembered: OrNull(
    Timestamp,
    'When the owner of this address last withdrew from a purchase. Stored as a hash for two years. The same is stored for cards, but cannot be found without a payment by the card.',
  ),
});

const Question = Closed({
  uuid: Uuid,
  topic: Text,
  question: Text,
  options: Type.Array(Text),
  marked_for_later: Type.Boolean(),
  own_answer: OrNull(Text),
  answered_at: OrNull(Timestamp),
  shown_ms: OrNull(
    Count,
    'How long it was shown before the answer, in milliseconds; null where that is not known.',
  ),
  correct: OrNull(Type.Boolean(), 'Null until it may be revealed.'),
  correct_answer: OrNull(Text, 'Null until it may be revealed.'),
  explanation: OrNull(Text),
  counted: OrNull(Type.Boolean(), 'Null until the quiz has ended.'),
});

const Quiz = Closed({
  id: Uuid,
  kind: Type.Enum(['drill', 'practice_test'] as const),
  topic: Text,
  exam: OrNull(Text),
  language: Text,
  instant_feedback: Type.Boolean(),
  state: Type.Enum(['open', 'ended', 'cancelled'] as const),
  started_at: Timestamp,
  deadline_at: OrNull(Timestamp),
  ended_at: OrNull(Timestamp),
  right_answers: OrNull(Count),
  counted_questions: Count,
  pass_mark: OrNull(Count),
  corrected_at: OrNull(Timestamp, 'When a corrected key last changed the result.'),
  questions: Type.Array(Question),
});

export const AccountExport = Closed({
  exported_at: Timestamp,
  account: Account,
  sign_in: OrNull(SignIn),
  access: Type.Array(Access, { description: 'Credits of days, in the order of their use.' }),
  payments: Type.Array(Payment, { description: 'Newest first.' }),
  reports: Type.Array(Report, { description: 'Reports of questions.' }),
  mails: Type.Array(Mail, { description: 'Mails to the account.' }),
  messages: Type.Array(ReceivedMessage, {
    description: 'Messages that we wrote to many learners, newest first.',
  }),
  news_consent: OrNull(
    NewsConsent,
    'Your consent to news by mail. Null when there never was one, or it was withdrawn two years ago.',
  ),
  corrected_results: Type.Array(CorrectedResult),
  learning: Learning,
  limited_calls: Type.Array(LimitedCall, {
    description: 'Calls counted for rate limits, deleted within two hours. Newest first.',
  }),
  under_the_address: OrNull(
    UnderTheAddress,
    'Data about the address that belongs to no account. Null until the signed-in user has verified the address.',
  ),
  quizzes: Type.Array(Quiz, { description: 'Newest first.' }),
});
export type AccountExport = Static<typeof AccountExport>;
