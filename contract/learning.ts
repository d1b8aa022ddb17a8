import { type Static, Type } from 'typebox';
import { Closed, Day, OrNull, QuestionLanguage } from './common.ts';
import { REMINDER_TEXTS, type ReminderVersion } from './consent-texts.ts';
import { Exam } from './quiz.ts';

// The learner's model: memory, readiness and plan.

const OsloDay = Day('A day in Europe/Oslo.');
const Count = Type.Integer({ minimum: 0 });
const Probability = Type.Number({ minimum: 0, maximum: 1 });

const MIN_DAILY_GOAL = 5;
const MAX_DAILY_GOAL = 100;

const DailyGoal = Type.Integer({
  minimum: MIN_DAILY_GOAL,
  maximum: MAX_DAILY_GOAL,
  description: 'Questions a day.',
});

export const LearningQuery = Closed({
  language: Type.Optional(QuestionLanguage),
});

export const Readiness = Closed(
  {
    probability: Probability,
    low: Probability,
    high: Probability,
    answers: Type.Integer({ description: 'The answers that it follows from.' }),
  },
  {
    description:
      'The probability of passing the chosen exam today; with 80 % certainty it is between `low` and `high`.',
  },
);

const NextStep = Closed(
  {
    kind: Type.Union([Type.Literal('repeat'), Type.Literal('new')]),
    topic: Type.Union([Type.String(), Type.Null()], { description: 'Null for all topics.' }),
    questions: Count,
  },
  {
    description:
      "The set of questions that would raise readiness most: `new` ones of a topic, or a set of today's practice, which repeats as many (`repeat`).",
  },
);

const TopicLearning = Closed({
  topic: Type.String(),
  total: Type.Integer({ description: 'Questions of the bank.' }),
  known: Type.Integer({ description: 'Answered right the last time, and still remembered.' }),
  unsure: Type.Integer({ description: 'Answered wrong the last time, or no longer remembered.' }),
  unseen: Count,
});

export const LearningResponse = Closed({
  exam: Exam,
  exam_date: Type.Union([OsloDay, Type.Null()]),
  daily_goal: DailyGoal,
  suggested_goal: OrNull(
    DailyGoal,
    'The questions a day after which the learner is expected to pass with a probability of 80 % on the exam date. Null without an exam date ahead, and when the most a goal can be would not do.',
  ),
  reminders: Type.Boolean({ description: 'Whether reminders by mail are on.' }),
  reminders_stopped: OrNull(
    Type.Union([Type.Literal('unanswered'), Type.Literal('refused')]),
    'Why the service stopped them: the learner did not practise after seven in a row, or mails to the address are refused. Null while they are on, and when the learner stopped them.',
  ),
  support_access: Type.Boolean({
    description: 'Whether support may see progress and readiness.',
  }),
  auto_advance: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the quiz advances automatically after the feedback; null until the learner has chosen.',
  }),
  today: Closed({
    goal: Type.Integer({ description: 'The daily goal.' }),
    done: Type.Integer({ description: 'Answers given today.' }),
    due: Type.Integer({
      description:
        'Questions to repeat today: no longer remembered, or answered wrong the last time. At most three of ten until the goal as long as there are new ones. Close to the exam and to the end of the service also those that are known, as far as the goal.',
    }),
    wrong_today: Type.Integer({
      description:
        'Questions whose last answer is of today, and wrong. They return in the next sets.',
    }),
    new: Type.Integer({ description: 'New questions that fill up the goal.' }),
  }),
  streak: Closed({
    days: Type.Integer({
      description:
        'Days with practice in a row, up to today or yesterday. One missed day in seven is forgiven.',
    }),
    forgiven_used: Type.Integer({ description: 'Missed days in it that were forgiven.' }),
  }),
  readiness: Type.Union([Readiness, Type.Null()], {
    description:
      'Null below 40 answers over at least five topics, or all where the bank has fewer.',
  }),
  answers_missing: Type.Integer({
    description: 'Answers until readiness is said; 0 also where only topics are missing.',
  }),
  next_step: Type.Union([NextStep, Type.Null()], {
    description: 'Null without readiness, or when the whole bank is known.',
  }),
  access_ends_first: OrNull(
    OsloDay,
    'The last day of access, if it is before the exam date and no more days are paid for.',
  ),
  ask_outcome: Type.Boolean({
    description: 'Whether the exam date has passed and the learner was not asked yet how it went.',
  }),
  topics: Type.Array(TopicLearning),
});
export type LearningResponse = Static<typeof LearningResponse>;

export const LearningPlanRequest = Closed({
  exam: Type.Optional(Exam),
  exam_date: Type.Optional(Type.Union([OsloDay, Type.Null()])),
  daily_goal: Type.Optional(DailyGoal),
  reminders: Type.Optional(
    Type.Boolean({ description: 'Consent to reminders by mail, or its withdrawal.' }),
  ),
  reminders_consent: Type.Optional(
    Type.Enum(Object.keys(REMINDER_TEXTS) as ReminderVersion[], {
      description: 'The version of the text that was agreed to. Required to turn reminders on.',
    }),
  ),
  support_access: Type.Optional(Type.Boolean()),
  auto_advance: Type.Optional(Type.Boolean()),
});
export type LearningPlanRequest = Static<typeof LearningPlanRequest>;

export const StopMailsQuery = Closed({
  token: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.][A-Za-z0-9_-]{43}$',
    description: 'From the link in a mail.',
  }),
});

export const OutcomeRequest = Closed({
  passed: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Null when the learner does not want to say.',
  }),
});
export type OutcomeRequest = Static<typeof OutcomeRequest>;
