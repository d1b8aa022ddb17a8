import type { Static } from 'typebox';
import type { HealthResponse } from '@proveklar/contract/config.ts';
import type { OperationDocs } from './operation.ts';

type HealthDocs = OperationDocs<never, Static<typeof HealthResponse>>;

export const isLive: HealthDocs = {
  operationId: 'isLive',
  description: 'Asks nobody else, so it tells only of the process itself.',
  examples: { live: { summary: 'It runs', answer: { status: 'ok' } } },
  serverErrors: [],
};

export const isReady: HealthDocs = {
  operationId: 'isReady',
  description:
    'Asks the database. While it does not answer, or when this one is about to end, send it no requests.',
  examples: { ready: { summary: 'It takes requests', answer: { status: 'ok' } } },
  serverErrors: ['unavailable'],
};
