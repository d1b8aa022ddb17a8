import { Type, type Static } from 'typebox';
import { Closed, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { Topic } from './topics.ts';

export const Exam = Type.Union([Type.Literal('samfunnskunnskap'), Type.Literal('statsborger')]);
export type Exam = Static<typeof Exam>;

export const StartQuizRequest = Closed({
  topic: Topic(
    'A topic, "all", "Praktisk prøve", or "mistakes": questions whose latest answer by this learner was wrong.',
  ),
  instant_feedback: Type.Optional(
    Type.Boolean({ description: 'Default true; always false in a practice test.' }),
  ),
  language: Type.Optional(QuestionLanguage),
  question_count: Type.Optional(
    Type.Integer({ minimum: 5, maximum: 50, description: 'Drills only; default 10.' }),
  ),
  exam: Type.Optional(Exam),
  timed: Type.Optional(
    Type.Boolean({
      description:
        'Practice test only; default true. Without the clock there is no deadline, for those who need more time.',
    }),
  ),
});
export type StartQuizRequest = Static<typeof StartQuizRequest>;

/** A question as a learner sees it: nothing in it tells which option is the key. */
export const QuizQuestion = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  options: Type.Array(Type.String(), { minItems: 2 }),
  topic: Type.String(),
  language: Type.String(),
  marked: Type.Optional(
    Type.Boolean({ description: 'Whether the learner marked it to come back to it.' }),
  ),
  translated: Type.Optional(
    Type.Boolean({
      description: 'Whether the bank has the same question in another language.',
    }),
  ),
  translations: Type.Optional(
    Type.Array(Type.String(), { description: 'Those languages, of the ones that are offered.' }),
  ),
});
export type QuizQuestion = Static<typeof QuizQuestion>;

const Revealed = {
  correct_answer: Type.Optional(Type.String()),
  explanation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  source_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
};

const QuizAnswer = Closed({
  answer: Type.String(),
  correct: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Null until it may be known.',
  }),
  ...Revealed,
  counted: Type.Optional(
    Type.Boolean({
      description: 'In an ended quiz: false for a trial question, which stands outside the score.',
    }),
  ),
});

const QuizState = Type.Union([
  Type.Literal('open'),
  Type.Literal('ended'),
  Type.Literal('cancelled'),
]);

const QuizExam = Closed({
  name: Exam,
  pass_mark: Type.Integer(),
  counted_questions: Type.Integer(),
  deadline_at: Type.Union([Timestamp, Type.Null()], { description: 'Null without a clock.' }),
  minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The time there is for the whole test; null without a clock.',
  }),
  seconds_left: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Until the deadline when this was answered, so that nobody needs a right clock; null without a clock, or when the quiz is over.',
  }),
  passed: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Null until the quiz has ended.',
  }),
});

export const QuizSession = Closed({
  id: Uuid,
  topic: Type.String(),
  language: Type.String(),
  instant_feedback: Type.Boolean(),
  state: QuizState,
  started_at: Timestamp,
  ended_at: Type.Union([Timestamp, Type.Null()]),
  regraded_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the result was last changed because the key of a question was wrong.',
  }),
  questions: Type.Array(QuizQuestion),
  answers: Type.Record(Type.String(), QuizAnswer, {
    description:
      'By question uuid. In an ended quiz every question is here; one that was not answered has the answer "".',
  }),
  score: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Correct answers so far; null while it may not be known.',
  }),
  total: Type.Integer({ description: 'Questions that count towards the score.' }),
  exam: Type.Union([QuizExam, Type.Null()]),
});
export type QuizSession = Static<typeof QuizSession>;

export const QuizParams = Closed({ id: Uuid });

export const TranslationParams = Closed({ id: Uuid, uuid: Uuid });
export const TranslationQuery = Closed({ language: QuestionLanguage });

/** A question in another language, with its key. */
export const Translation = Closed({
  language: Type.String(),
  question: Type.String(),
  options: Type.Array(Type.String(), {
    description:
      'Of each option that the quiz shows, in the same order; empty where the bank does not say which is which.',
  }),
  answer: Type.String(),
  explanation: Type.Union([Type.String(), Type.Null()]),
});
export type Translation = Static<typeof Translation>;

export const MarkParams = Closed({ id: Uuid, uuid: Uuid });
export const MarkRequest = Closed({ marked: Type.Boolean() });
export type MarkRequest = Static<typeof MarkRequest>;

export const AnswerRequest = Closed({
  question_id: Uuid,
  answer: Type.String({ minLength: 1, maxLength: 2000 }),
});
export type AnswerRequest = Static<typeof AnswerRequest>;

export const AnswerResponse = Closed({
  score: Type.Union([Type.Integer(), Type.Null()]),
  correct: Type.Union([Type.Boolean(), Type.Null()]),
  answer: Type.Optional(
    Type.String({ description: 'What stands, where an earlier answer to the question was final.' }),
  ),
  ...Revealed,
});
export type AnswerResponse = Static<typeof AnswerResponse>;

export const EndQuizResponse = Closed({
  score: Type.Integer(),
  total: Type.Integer(),
  passed: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null for a drill.' }),
});
export type EndQuizResponse = Static<typeof EndQuizResponse>;
