import type { AnswerRequest, AnswerResponse, SampleResponse } from '@proveklar/contract/quiz.ts';
import type { OperationDocs } from './operation.ts';
import { QUESTIONS } from './values.ts';

const [FIRST] = QUESTIONS;

export const readSample: OperationDocs<never, SampleResponse> = {
  operationId: 'readSample',
  description:
    'Ten questions to try without an account, spread over the topics: those tagged `smakebit` first. They are the same for everybody. Where the language (default `no`) has fewer than ten, they may be Norwegian. Nothing in the answer tells which option is right.',
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
        })),
      },
    },
  },
};

export const answerSample: OperationDocs<AnswerRequest, AnswerResponse> = {
  operationId: 'answerSample',
  description:
    'Judges an answer to a question of the sample. Nothing is stored or counted, so `score` is null. `question_not_in_quiz` also says that the sample has changed: read it again.',
  examples: {
    right: {
      summary: 'The right answer',
      body: { question_id: FIRST.uuid, answer: FIRST.answer },
      answer: {
        score: null,
        correct: true,
        correct_answer: FIRST.answer,
        explanation: FIRST.explanation,
        source_url: FIRST.source_url,
      },
    },
  },
  errors: {
    question_not_in_quiz: { details: { field: 'question_id' } },
    answer_not_an_option: { details: { field: 'answer' } },
  },
};
