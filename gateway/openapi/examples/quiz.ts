import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  AnswerRequest,
  AnswerResponse,
  EndQuizResponse,
  HistoryResponse,
  MarkRequest,
  OpenQuizzesResponse,
  ProgressResponse,
  QuizQuestion,
  QuizSession,
  SampleResponse,
  StartQuizRequest,
  Translation,
} from '@proveklar/contract/quiz.ts';
import type { OperationDocs } from './operation.ts';
import { FIRST_WHY, LATER_QUIZ_ID, QUESTIONS, QUIZ_ID, TRANSLATION } from './values.ts';

const STARTED_AT = '2026-01-16T17:05:00.000Z';
const [FIRST] = QUESTIONS;
const REVEALED = { correct_answer: FIRST.answer, ...FIRST_WHY };

const SESSION: QuizSession = {
  id: QUIZ_ID,
  topic: 'Historie',
  language: 'no',
  instant_feedback: true,
  state: 'open',
  started_at: STARTED_AT,
  ended_at: null,
  regraded_at: null,
  questions: QUESTIONS.map(({ id, uuid, question, options, topic, language }): QuizQuestion => ({
    id,
    uuid,
    question,
    options: [...options],
    topic,
    language,
    image: null,
    areas: null,
    translated: false,
    translations: [],
    marked: false,
  })),
  answers: {},
  score: 0,
  total: 2,
  exam: null,
  auto_advance: null,
};

export const startQuiz: OperationDocs<StartQuizRequest, QuizSession> = {
  operationId: 'startQuiz',
  description:
    'A drill has questions of one topic, or of `all`; the topic `mistakes` draws the questions in this language whose latest answer was wrong, until each is answered right (`mistakes_of`: only those of one topic); the topic `Praktisk prøve` draws a practice test with the numbers and the time of its exam. The response does not reveal which option is right.\n\nFive drills can be open at a time. Another one replaces the oldest without an answer, which is cancelled. If all have answers, the call is refused with `too_many_open`, and `details.quizzes` lists them: continue or end one first. Practice tests do not count here. All quizzes count for the rate limit of 60 an hour per account.',
  examples: {
    drill: {
      summary: 'A drill on history, from a bank with two such questions',
      body: { topic: 'Historie', instant_feedback: true, language: 'no' },
      answer: SESSION,
    },
  },
  errors: {
    language_not_offered: { details: { field: 'language' } },
    topic_unknown: { details: { field: 'topic' } },
    no_mistakes: { details: { field: 'topic' } },
    not_enough_questions: {},
    too_many_open: {
      details: {
        quizzes: [
          {
            id: QUIZ_ID,
            topic: 'Historie',
            started_at: STARTED_AT,
            answered: 1,
            questions: 2,
            seconds_left: null,
          },
        ],
      },
    },
    rate_limited: { details: { retry_after_s: 1260 } },
  },
};

export const readQuiz: OperationDocs<never, QuizSession> = {
  operationId: 'readQuiz',
  description:
    'A quiz can be continued after a reload and on another device. `correct_answer`, `explanation`, `reasons` and the source are included once they may be shown: after the answer with instant feedback, otherwise when the quiz has ended.',
  examples: {
    half_way: {
      summary: 'One of two questions answered, with instant feedback',
      path: { id: QUIZ_ID },
      answer: {
        ...SESSION,
        answers: { [FIRST.uuid]: { answer: FIRST.answer, correct: true, ...REVEALED } },
        score: 1,
      },
    },
  },
  errors: { quiz_not_found: {} },
};

export const answerQuestion: OperationDocs<AnswerRequest, AnswerResponse> = {
  operationId: 'answerQuestion',
  description:
    'In a drill the first answer is final, and repeating the call returns its result; without instant feedback `correct` is null, but `score` is the running score. In a practice test an answer may be changed until hand-in, and `score` and `correct` are null.',
  examples: {
    instant_feedback: {
      summary: 'The right answer, in a drill with instant feedback',
      path: { id: QUIZ_ID },
      body: { question_id: FIRST.uuid, answer: FIRST.answer },
      answer: { score: 1, correct: true, ...REVEALED },
    },
    silent: {
      summary: 'In a drill without instant feedback',
      path: { id: QUIZ_ID },
      body: { question_id: FIRST.uuid, answer: FIRST.answer },
      answer: { score: 1, correct: null },
    },
  },
  errors: {
    quiz_not_found: {},
    quiz_closed: {},
    question_not_in_quiz: { details: { field: 'question_id' } },
    answer_not_an_option: { details: { field: 'answer' } },
  },
};

export const readTranslation: OperationDocs<never, Translation> = {
  operationId: 'readTranslation',
  description:
    'For learners of the language of the question: the same question in another language. It includes the key, so it is available once that may be shown: after the answer with instant feedback, otherwise when the quiz has ended. The wrong answers are paired by their position in the bank.',
  examples: {
    english: {
      summary: 'The first question, answered, in English',
      path: { id: QUIZ_ID, uuid: FIRST.uuid },
      query: { language: 'en' },
      answer: {
        language: TRANSLATION.language,
        question: TRANSLATION.question,
        options: [...TRANSLATION.options],
        answer: TRANSLATION.answer,
        explanation: TRANSLATION.explanation,
        reasons: [],
      },
    },
  },
  errors: {
    quiz_not_found: {},
    question_not_found: {},
    question_not_answered: {},
    translation_not_found: {},
    rate_limited: { details: { retry_after_s: 1800 } },
  },
};

export const markQuestion: OperationDocs<MarkRequest, Static<typeof Ok>> = {
  operationId: 'markQuestion',
  description:
    'For an open practice test of the caller. The mark is stored, so that other devices show it too; it is independent of the answer. Idempotent.',
  examples: {
    marked: {
      summary: 'Marked',
      path: { id: QUIZ_ID, uuid: FIRST.uuid },
      body: { marked: true },
      answer: { ok: true },
    },
  },
  errors: {
    quiz_not_found: {},
    quiz_closed: {},
    question_not_in_quiz: { details: { field: 'uuid' } },
  },
};

export const endQuiz: OperationDocs<never, EndQuizResponse> = {
  operationId: 'endQuiz',
  description:
    'Questions without an answer count as wrong. A practice test whose time is up is handed in automatically, with its deadline as the end.',
  examples: {
    drill: {
      summary: 'One right of two',
      path: { id: QUIZ_ID },
      answer: { score: 1, total: 2, passed: null },
    },
  },
  errors: { quiz_not_found: {}, quiz_closed: {} },
};

export const cancelQuiz: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'cancelQuiz',
  description: 'A cancelled quiz is in no history. Idempotent.',
  examples: { left: { summary: 'Cancelled', path: { id: QUIZ_ID }, answer: { ok: true } } },
  errors: { quiz_not_found: {}, quiz_closed: {} },
};

const ONE_RUN: HistoryResponse = {
  history: [
    {
      id: QUIZ_ID,
      topic: 'Historie',
      completed_at: '2026-01-16T17:09:12.000Z',
      correct_answers: 1,
      total_questions: 2,
      time_spent: 252,
      passed: null,
      pass_mark: null,
      regraded_at: null,
    },
  ],
  next_before: null,
};

export const listHistory: OperationDocs<never, HistoryResponse> = {
  operationId: 'listHistory',
  description: 'Without cancelled quizzes. Without `limit` the history is complete, and streamed.',
  examples: {
    one_drill: { summary: 'One drill, one right of two', answer: ONE_RUN },
    page: {
      summary: 'At most 20 that are older than a given quiz',
      query: { limit: 20, before: LATER_QUIZ_ID },
      answer: ONE_RUN,
    },
  },
  errors: { quiz_not_found: {} },
};

export const listOpenQuizzes: OperationDocs<never, OpenQuizzesResponse> = {
  operationId: 'listOpenQuizzes',
  description:
    'All open quizzes. The home screen leaves out drills without an answer: a new one is as good.',
  examples: {
    one_drill: {
      summary: 'A drill with one of two questions answered',
      answer: {
        quizzes: [
          {
            id: QUIZ_ID,
            topic: 'Historie',
            started_at: STARTED_AT,
            answered: 1,
            questions: 2,
            seconds_left: null,
          },
        ],
      },
    },
  },
};

export const readProgress: OperationDocs<never, ProgressResponse> = {
  operationId: 'readProgress',
  description:
    'Counts the latest answer to each question that can be drawn today. An answer counts once its result was shown: at once with instant feedback, otherwise when its quiz has ended. A question handed in without an answer counts as not answered.',
  examples: {
    one_drill: {
      summary: 'One question answered, wrongly, in a drill on history',
      answer: {
        topics: [
          {
            topic: 'Historie',
            language: 'no',
            names: { no: 'Historie', en: null },
            met: 1,
            right: 0,
            enough: false,
            last_practised_at: '2026-01-16T17:06:00.000Z',
          },
        ],
        mistakes: 1,
        weakest: null,
      },
    },
  },
};

export const readSample: OperationDocs<never, SampleResponse> = {
  operationId: 'readSample',
  description:
    'Ten questions to try without an account, spread over the topics: those tagged `smakebit` first. They are the same for all callers. Where the language (default `no`) has fewer than ten, they may be Norwegian. The response does not reveal which option is right.',
  examples: {
    norwegian: {
      summary: 'The sample of a bank with two questions',
      query: { language: 'no' },
      answer: {
        questions: QUESTIONS.map(({ id, uuid, question, options, topic, language }) => ({
          id,
          uuid,
          question,
          options: [...options],
          topic,
          language,
          image: null,
          areas: null,
          translated: uuid === FIRST.uuid,
          translations: uuid === FIRST.uuid ? ['en'] : [],
        })),
        bank_questions: 2,
      },
    },
  },
};

export const readSampleTranslation: OperationDocs<never, Translation> = {
  operationId: 'readSampleTranslation',
  description:
    'A question of the sample in another language. It includes the key, which anyone learns by answering. `question_not_in_quiz` can also mean that the sample has changed.',
  examples: {
    english: {
      summary: 'The first question in English',
      path: { uuid: FIRST.uuid },
      query: { language: 'en' },
      answer: {
        language: TRANSLATION.language,
        question: TRANSLATION.question,
        options: [...TRANSLATION.options],
        answer: TRANSLATION.answer,
        explanation: TRANSLATION.explanation,
        reasons: [],
      },
    },
  },
  errors: {
    question_not_in_quiz: { details: { field: 'uuid' } },
    translation_not_found: {},
  },
};

export const answerSample: OperationDocs<AnswerRequest, AnswerResponse> = {
  operationId: 'answerSample',
  description:
    'Checks an answer to a question of the sample. Nothing is stored or counted, so `score` is null. `question_not_in_quiz` can also mean that the sample has changed: fetch it again.',
  examples: {
    right: {
      summary: 'The right answer',
      body: { question_id: FIRST.uuid, answer: FIRST.answer },
      answer: {
        score: null,
        correct: true,
        ...REVEALED,
      },
    },
  },
  errors: {
    question_not_in_quiz: { details: { field: 'question_id' } },
    answer_not_an_option: { details: { field: 'answer' } },
  },
};
