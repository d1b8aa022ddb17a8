import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  LearningPlanRequest,
  LearningResponse,
  OutcomeRequest,
} from '@proveklar/contract/learning.ts';
import type { OperationDocs } from './operation.ts';

export const STOP_TOKEN =
  '0199a4b2-7c31-7d4e-9f08-5b6c7d8e9f01.k3VvbYQp0x1mQy3mJ8nC2l7rT5uWz9aBdEfGhIjKlMn';

const NEW_LEARNER: LearningResponse = {
  exam: 'samfunnskunnskap',
  exam_date: null,
  daily_goal: 20,
  suggested_goal: null,
  reminders: false,
  reminders_stopped: null,
  support_access: false,
  auto_advance: null,
  today: { goal: 20, done: 0, due: 0, wrong_today: 0, new: 2 },
  streak: { days: 0, forgiven_used: 0 },
  readiness: null,
  answers_missing: 40,
  next_step: null,
  access_ends_first: null,
  ask_outcome: false,
  topics: [{ topic: 'Historie', total: 2, known: 0, unsure: 0, unseen: 2 }],
};

export const readLearning: OperationDocs<never, LearningResponse> = {
  operationId: 'readLearning',
  description:
    "What the caller remembers, by topic of one language (`language`, by default the account's); today's practice (started by `POST /quiz/start` with the topic `today`); and the probability of passing the chosen exam today. It follows from answers whose results the caller has been shown, a few seconds after them.",
  examples: {
    new_learner: {
      summary: 'Before the first answer',
      query: { language: 'no' },
      answer: NEW_LEARNER,
    },
  },
};

export const changeLearningPlan: OperationDocs<LearningPlanRequest, LearningResponse> = {
  operationId: 'changeLearningPlan',
  description:
    'Changes the fields that are given. The exam date is today or later, within two years; null removes it. `reminders` is consent to one mail a day at most, on days when the goal is not done, while the service is active and until the exam date; it can be withdrawn at any time. To turn them on, send the version of the text that was shown as `reminders_consent`, which is stored with the time.',
  examples: {
    goal: {
      summary: 'Ten questions a day',
      body: { daily_goal: 10 },
      answer: {
        ...NEW_LEARNER,
        daily_goal: 10,
        today: { ...NEW_LEARNER.today, goal: 10 },
      },
    },
    reminders: {
      summary: 'Reminders by mail',
      body: { reminders: true, reminders_consent: 'reminders-no-2026-11' },
      answer: { ...NEW_LEARNER, reminders: true },
    },
  },
  errors: {
    account_disabled: {},
    consent_required: {
      error: 'Send the version of the text that was agreed to',
      details: { field: 'reminders_consent' },
    },
    email_refused: {
      error: 'Mails to your address are refused. Change the address, and try again.',
      details: { field: 'reminders' },
    },
  },
};

export const stopReminders: OperationDocs<string, Static<typeof Ok>> = {
  operationId: 'stopReminders',
  description:
    'The address of `List-Unsubscribe` in a reminder (RFC 8058), and the call of the page behind its link. The token is valid as long as the account, and stops reminders only. Repeated calls change nothing.',
  examples: {
    one_click: {
      summary: 'By a mail program',
      query: { token: STOP_TOKEN },
      body: 'List-Unsubscribe=One-Click',
      answer: { ok: true },
    },
  },
  errors: {
    not_found: {
      error: 'This link is not valid. Sign in, and turn the reminders off in your plan.',
    },
  },
};

export const answerOutcome: OperationDocs<OutcomeRequest, Static<typeof Ok>> = {
  operationId: 'answerOutcome',
  description:
    'The answer is stored without the account, beside what readiness said, to compare the two. It is asked once for each exam date; a call before the date, or a second one, changes nothing.',
  examples: { passed: { summary: 'Passed', body: { passed: true }, answer: { ok: true } } },
  errors: { account_disabled: {} },
};
