import type { TopicsResponse } from '@proveklar/contract/questions.ts';
import type { OperationDocs } from './operation.ts';

export const listTopics: OperationDocs<never, TopicsResponse> = {
  operationId: 'listTopics',
  description:
    'A topic is listed as long as it has a validated question in the language (default `no`).',
  examples: {
    norwegian: {
      summary: 'The topics in Norwegian',
      query: { language: 'no' },
      answer: { topics: ['Historie'] },
    },
  },
};
