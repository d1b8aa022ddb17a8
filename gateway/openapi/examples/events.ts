import type { OperationDocs } from './operation.ts';

export const streamEvents: OperationDocs<never, string> = {
  operationId: 'streamEvents',
  description:
    'For `fetch`: `EventSource` sends no token. A message never carries what changed, only what to read again: `data: {"topic":"account"}`, and of which call it comes where it was one: `"request_id":"…"`. After `ready` and `resync` everything that is shown should be read again.',
  examples: {
    ready: {
      summary: 'How every stream begins',
      answer: 'retry: 1000\n\nevent: ready\ndata: {}\n\n',
    },
  },
};
