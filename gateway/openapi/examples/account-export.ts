import type { AccountExport } from '@proveklar/contract/account-export.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_UID } from './users.ts';
import { DEMO_EMAIL, DEMO_NAME, PAYMENT_ID, QUESTIONS, QUIZ_ID, REGISTERED_AT } from './values.ts';

const [FIRST, SECOND] = QUESTIONS;
const ANSWERED_AT = '2026-01-16T17:06:00.000Z';
const ENDED_AT = '2026-01-16T17:12:00.000Z';

const question = {
  marked_for_later: false,
  own_answer: null,
  answered_at: null,
  correct: false,
  counted: true,
};

export const exportAccount: OperationDocs<never, AccountExport> = {
  operationId: 'exportAccount',
  description:
    'The file has what the account, its payments, quizzes, reports and mails are, each under its name. The key of a question is there once the quiz may tell it. Left out are technical copies of the same (events, what Stripe reported). An account has one at a time, and five an hour unless configured otherwise.',
  examples: {
    practised: {
      summary: 'A learner with days that were a gift, and one quiz',
      answer: {
        exported_at: '2026-01-17T09:00:00.000Z',
        account: {
          id: PAYMENT_ID,
          user_id: DEMO_UID,
          email: DEMO_EMAIL,
          email_changed_at: null,
          email_verified: false,
          tokens_valid_after: null,
          display_name: DEMO_NAME,
          language: 'no',
          registered_at: REGISTERED_AT,
          access_until: '2026-02-14T08:30:00.000Z',
          told_of_end_at: null,
        },
        sign_in: {
          email: DEMO_EMAIL,
          display_name: null,
          has_password: true,
          created_at: REGISTERED_AT,
          last_signed_in_at: '2026-01-16T17:05:00.000Z',
          last_refreshed_at: '2026-01-16T17:05:00.000Z',
        },
        access: [
          {
            given_for: 'grant',
            payment_id: null,
            note: null,
            given_at: REGISTERED_AT,
            days: 30,
            days_taken_back: 0,
            starts_at: REGISTERED_AT,
            ends_at: '2026-02-14T08:30:00.000Z',
          },
        ],
        payments: [],
        reports: [
          {
            question: FIRST.question,
            uuid: FIRST.uuid,
            quiz_id: QUIZ_ID,
            reason: 'unclear',
            comment: null,
            state: 'open',
            reported_at: ENDED_AT,
            closed_at: null,
          },
        ],
        mails: [],
        corrected_results: [],
        limited_calls: [{ call: 'export', made_at: '2026-01-17T09:00:00.000Z' }],
        under_the_address: null,
        quizzes: [
          {
            id: QUIZ_ID,
            kind: 'drill',
            topic: 'Historie',
            exam: null,
            language: 'no',
            instant_feedback: true,
            state: 'ended',
            started_at: '2026-01-16T17:05:00.000Z',
            deadline_at: null,
            ended_at: ENDED_AT,
            right_answers: 1,
            counted_questions: 2,
            pass_mark: null,
            corrected_at: null,
            questions: [
              {
                ...question,
                uuid: FIRST.uuid,
                topic: FIRST.topic,
                question: FIRST.question,
                options: [...FIRST.options],
                own_answer: FIRST.answer,
                answered_at: ANSWERED_AT,
                correct: true,
                correct_answer: FIRST.answer,
                explanation: FIRST.explanation,
              },
              {
                ...question,
                uuid: SECOND.uuid,
                topic: SECOND.topic,
                question: SECOND.question,
                options: [...SECOND.options],
                correct_answer: SECOND.answer,
                explanation: SECOND.explanation,
              },
            ],
          },
        ],
      },
    },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    identity_provider_failed: {},
  },
};
