import { type Static, Type } from 'typebox';
import { Closed, Language, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { Topic } from './questions.ts';

// Quizzes: a drill or a practice test from its start to its result, the history, progress, and the free sample.

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
export type QuizState = Static<typeof QuizState>;

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
  answer: Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }),
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

const HistoryItem = Closed({
  id: Uuid,
  topic: Type.String(),
  completed_at: Timestamp,
  correct_answers: Type.Integer(),
  total_questions: Type.Integer({ description: 'Questions that counted.' }),
  time_spent: Type.Integer({ description: 'Seconds from the start to the end.' }),
  passed: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null for a drill.' }),
  pass_mark: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Right answers that a practice test needs; null for a drill.',
  }),
  regraded_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the result was last changed because the key of a question was wrong.',
  }),
});

export const HistoryQuery = Closed({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Quizzes of a page. Left out, the whole history is one answer.',
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the page before.' }),
  ),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryResponse = Closed({
  history: Type.Array(HistoryItem, { description: 'Ended quizzes, the newest first.' }),
  next_before: Type.Union([Uuid, Type.Null()], { description: 'Null when there are no more.' }),
});
export type HistoryResponse = Static<typeof HistoryResponse>;

const OpenQuiz = Closed({
  id: Uuid,
  topic: Type.String(),
  started_at: Timestamp,
  answered: Type.Integer(),
  questions: Type.Integer({ description: 'Questions shown.' }),
  seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Until the deadline; null without one.',
  }),
});

export const OpenQuizzesResponse = Closed({
  quizzes: Type.Array(OpenQuiz, {
    description: 'Quizzes to go on with, the newest first; drills without any answer come last.',
  }),
});
export type OpenQuizzesResponse = Static<typeof OpenQuizzesResponse>;

const NameOrNull = Type.Union([Type.String(), Type.Null()]);

const TopicProgress = Closed({
  topic: Type.String(),
  language: Type.String(),
  names: Closed(
    { no: NameOrNull, en: NameOrNull },
    {
      description:
        "What the topic is called in each language of the screens, by the topics of its questions' translations; null where they do not say.",
    },
  ),
  met: Type.Integer({ description: 'Different questions that the learner has answered.' }),
  right: Type.Integer({ description: 'Those of them whose latest answer was right.' }),
  enough: Type.Boolean({
    description:
      'Whether so many were answered (five) that the share of right ones says something.',
  }),
  last_practised_at: Timestamp,
});

export const ProgressResponse = Closed({
  topics: Type.Array(TopicProgress, {
    description: 'Topics with an answer, by language and in Norwegian alphabetical order.',
  }),
  mistakes: Type.Integer({
    description:
      'Questions whose latest answer was wrong, over all languages. The drill `mistakes` draws from those of its language.',
  }),
  weakest: Type.Union([Closed({ topic: Type.String(), language: Type.String() }), Type.Null()], {
    description:
      'The topic with the lowest share of right ones among those with enough answers; null when there is none, or nothing is wrong.',
  }),
});
export type ProgressResponse = Static<typeof ProgressResponse>;

export const SampleQuery = Closed({ language: Type.Optional(Language) });

export const SampleResponse = Closed({
  questions: Type.Array(QuizQuestion, {
    maxItems: 10,
    description: 'At most ten; empty while the bank has no validated question.',
  }),
});
export type SampleResponse = Static<typeof SampleResponse>;
