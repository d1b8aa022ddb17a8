import { type Static, Type } from 'typebox';
import { Closed, Language, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { MAX_COUNTED_QUESTIONS, MAX_TEXT_LENGTH } from './limits.ts';
import { Picture, Topic, Why } from './questions.ts';

// Quizzes: a drill or a practice test from its start to its result, the history, progress, and the free sample.

export const Exam = Type.Union([Type.Literal('samfunnskunnskap'), Type.Literal('statsborger')]);
export type Exam = Static<typeof Exam>;

export const StartQuizRequest = Closed({
  topic: Topic(
    'A topic, "all", "Praktisk prøve", "mistakes" (questions whose latest answer by this learner was wrong), or "today": at most ten questions, due ones first, then mistakes, then new ones.',
  ),
  mistakes_of: Type.Optional(
    Topic('With the topic "mistakes": only the mistakes of this topic of the bank.'),
  ),
  instant_feedback: Type.Optional(
    Type.Boolean({ description: 'Default true; always false in a practice test.' }),
  ),
  language: Type.Optional(QuestionLanguage),
  question_count: Type.Optional(
    Type.Integer({ minimum: 5, maximum: 50, description: 'Drills only; default 10.' }),
  ),
  new_first: Type.Optional(
    Type.Boolean({
      description:
        'Drills of a topic only: questions that the learner was not shown come before the others. Default false.',
    }),
  ),
  exam: Type.Optional(
    Type.Union(Exam.anyOf, {
      description: "Practice test only; by default the one of the learner's plan.",
    }),
  ),
  timed: Type.Optional(
    Type.Boolean({
      description:
        'Practice test only; default true. Without the clock there is no deadline, for those who need more time.',
    }),
  ),
});
export type StartQuizRequest = Static<typeof StartQuizRequest>;

/** A question as a learner sees it: it does not reveal which option is the key. */
export const QuizQuestion = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  options: Type.Array(Type.String(), { minItems: 2 }),
  topic: Type.String(),
  language: Type.String(),
  ...Picture,
  marked: Type.Optional(
    Type.Boolean({ description: 'Whether the learner has marked it to come back to it.' }),
  ),
  translated: Type.Optional(
    Type.Boolean({
      description: 'Whether the bank has the same question in another language.',
    }),
  ),
  translations: Type.Optional(
    Type.Array(Type.String(), { description: 'The offered languages of these translations.' }),
  ),
});
export type QuizQuestion = Static<typeof QuizQuestion>;

const Revealed = {
  correct_answer: Type.Optional(Type.String()),
  ...Why,
  explanation: Type.Optional(Why.explanation),
  source_url: Type.Optional(Why.source_url),
};

const QuizAnswer = Closed({
  answer: Type.String(),
  correct: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Null until it may be revealed.',
  }),
  ...Revealed,
  counted: Type.Optional(
    Type.Boolean({
      description:
        'In an ended quiz: false for a trial question, which does not count in the score.',
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
    description: 'The time for the whole test; null without a clock.',
  }),
  seconds_left: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Until the deadline, counted from this response, so that the client needs no correct clock; null without a clock, or when the quiz is over.',
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
      'By question uuid. In an ended quiz all questions are included; an unanswered one has the answer "".',
  }),
  score: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Right answers so far; null until it may be revealed.',
  }),
  total: Type.Integer({ description: 'Questions that count towards the score.' }),
  exam: Type.Union([QuizExam, Type.Null()]),
  auto_advance: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the quiz advances automatically after the feedback, in every quiz of the learner; null until they have chosen (`PUT /learning`).',
  }),
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
      'The translated options, in the order in which the quiz shows them; empty where they cannot be paired.',
  }),
  answer: Type.String(),
  explanation: Why.explanation,
  reasons: Why.reasons,
});
export type Translation = Static<typeof Translation>;

export const MarkParams = Closed({ id: Uuid, uuid: Uuid });
export const MarkRequest = Closed({ marked: Type.Boolean() });
export type MarkRequest = Static<typeof MarkRequest>;

export const AnswerRequest = Closed({
  question_id: Uuid,
  answer: Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }),
  shown_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_600_000,
      description:
        'How long the question was shown before the answer, in milliseconds; at most an hour. A quick right answer says more about memory.',
    }),
  ),
});
export type AnswerRequest = Static<typeof AnswerRequest>;

export const AnswerResponse = Closed({
  score: Type.Union([Type.Integer(), Type.Null()]),
  correct: Type.Union([Type.Boolean(), Type.Null()]),
  answer: Type.Optional(
    Type.String({
      description: 'The first answer, which is final, when there was one before this call.',
    }),
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
  total_questions: Type.Integer({ description: 'Questions that count.' }),
  time_spent: Type.Integer({ description: 'Seconds from the start to the end.' }),
  passed: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null for a drill.' }),
  pass_mark: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Right answers needed to pass a practice test; null for a drill.',
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
      description: 'Quizzes on a page. Without it, the response is the whole history.',
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the previous page.' }),
  ),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryResponse = Closed({
  history: Type.Array(HistoryItem, { description: 'Ended quizzes, newest first.' }),
  next_before: Type.Union([Uuid, Type.Null()], { description: 'Null on the last page.' }),
});
export type HistoryResponse = Static<typeof HistoryResponse>;

const OpenQuiz = Closed({
  id: Uuid,
  topic: Type.String(),
  started_at: Timestamp,
  answered: Type.Integer(),
  questions: Type.Integer({ description: 'Questions shown.' }),
  seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Until the deadline; null without a deadline.',
  }),
});

export const OpenQuizzesResponse = Closed({
  quizzes: Type.Array(OpenQuiz, {
    description: 'Quizzes to continue, newest first; drills without an answer come last.',
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
        "The topic's name in each language of the screens, from the topics of its questions' translations; null where these are ambiguous.",
    },
  ),
  met: Type.Integer({ description: 'Different questions that the learner has answered.' }),
  right: Type.Integer({ description: 'Questions whose latest answer was right.' }),
  enough: Type.Boolean({
    description:
      'Whether at least five questions were answered: with fewer, the share of right answers says little.',
  }),
  last_practised_at: Timestamp,
});

export const ProgressResponse = Closed({
  topics: Type.Array(TopicProgress, {
    description: 'Topics with an answer, by language, then in Norwegian alphabetical order.',
  }),
  mistakes: Type.Integer({
    description:
      'Questions whose latest answer was wrong, in all languages. The drill `mistakes` draws from those of its language.',
  }),
  weakest: Type.Union([Closed({ topic: Type.String(), language: Type.String() }), Type.Null()], {
    description:
      'The topic with the lowest share of right answers among those with enough answers; null when there is none, or no answer is wrong.',
  }),
});
export type ProgressResponse = Static<typeof ProgressResponse>;

export const SampleParams = Closed({ uuid: Uuid });
export const SampleQuery = Closed({ language: Type.Optional(Language) });

export const SampleResponse = Closed({
  questions: Type.Array(QuizQuestion, {
    maxItems: 10,
    description: 'At most ten; empty while the bank has no validated question.',
  }),
  bank_questions: Type.Integer({
    minimum: 0,
    maximum: MAX_COUNTED_QUESTIONS,
    description:
      'Questions of the language that learners can practise; at most 10,000 are counted. The language is that of the sample.',
  }),
});
export type SampleResponse = Static<typeof SampleResponse>;
