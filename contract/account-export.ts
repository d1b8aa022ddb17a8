import { Type, type Static } from 'typebox';
import { Closed, Language, OrNull, Timestamp, Uuid } from './common.ts';

// The file with everything that we hold about a learner.

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
    "Whether a sign-in has shown that the address is the learner's. Null: not known yet.",
  ),
  tokens_valid_after: OrNull(
    Timestamp,
    'Sign-ins before this moment are refused. Null: sessions were never ended.',
  ),
  display_name: OrNull(Text),
  language: Language,
  registered_at: Timestamp,
  access_until: OrNull(Timestamp),
  told_of_end_at: OrNull(Timestamp, 'The end of access of which a mail was last sent.'),
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
  { description: 'What the sign-in service holds for us. Nobody can read the password.' },
);

const Access = Closed({
  given_for: Type.Enum(['payment', 'grant'] as const),
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
  kind: Type.Enum(['registration', 'extension'] as const),
  state: Text,
  begun_at: Timestamp,
  paid_at: OrNull(Timestamp),
  cancelled_at: OrNull(Timestamp),
  cancel_reason: OrNull(Text),
  amount_nok: Nok,
  refunded_nok: Nok,
  service_days: Count,
  email: OrNull(Text, 'As typed in a registration.'),
  name: OrNull(Text, 'As typed in a registration.'),
  language: Language,
  network_address: OrNull(
    Text,
    'Kept for a day. Null in an unfinished registration: it may be of somebody else.',
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
  refused_at: OrNull(Timestamp, 'When the receiving server said that it will not take it.'),
});

const CorrectedResult = Closed({
  quiz_id: Uuid,
  corrected_at: Timestamp,
  right_answers_before: Count,
  right_answers_after: Count,
});

const LimitedCall = Closed({
  call: Type.Enum(['export', 'profile_change'] as const),
  made_at: Timestamp,
});

const UnderTheAddress = Closed({
  email: Text,
  unfinished_registrations: Type.Array(Payment),
  free_registrations: Type.Array(Closed({ tried_at: Timestamp })),
  payment_searches: Type.Array(Closed({ searched_at: Timestamp })),
  administration: Type.Array(Closed({ done_at: Timestamp, action: Text, note: OrNull(Text) }), {
    description: 'What administrators did to the user of this address, and why if they wrote it.',
  }),
  withdrawal_remembered: OrNull(
    Timestamp,
    'When this address last withdrew from a purchase, which is kept as a hash for two years. Whether a card did cannot be found without a payment by it.',
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
  correct: OrNull(Type.Boolean(), 'Null as long as it may not be known.'),
  correct_answer: OrNull(Text, 'Null as long as it may not be known.'),
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
  access: Type.Array(Access, { description: 'Days of access, in the order of their use.' }),
  payments: Type.Array(Payment, { description: 'The newest first.' }),
  reports: Type.Array(Report, { description: 'What was reported about questions.' }),
  mails: Type.Array(Mail, { description: 'What was mailed to the account, and when.' }),
  corrected_results: Type.Array(CorrectedResult),
  limited_calls: Type.Array(LimitedCall, {
    description: 'Counted for the limits, and forgotten within two hours. The newest first.',
  }),
  under_the_address: OrNull(
    UnderTheAddress,
    'What names the address and no account. Null as long as nobody has verified that the address belongs to whoever is signed in.',
  ),
  quizzes: Type.Array(Quiz, { description: 'The newest first.' }),
});
export type AccountExport = Static<typeof AccountExport>;
