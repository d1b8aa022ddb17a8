import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import {
  listHistory,
  restOfHistory,
  type HistoryItem,
} from '@proveklar/services/quiz/quiz-history.ts';
import * as docs from '#contract/examples/quiz.ts';
import { HistoryQuery, HistoryResponse } from '#contract/quiz-history.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

// Not checked against its schema by the compiler: what is long is answered as a stream of it.
export const historyRoute: FastifyPluginAsync = async (app) => {
  app.get<{ Querystring: HistoryQuery }>(
    '/history',
    {
      config: { access: 'learner', docs: docs.listHistory },
      schema: {
        tags: ['quiz'],
        summary: 'The quizzes that were ended, the newest first',
        querystring: HistoryQuery,
        response: withErrors({ 200: HistoryResponse }),
      },
    },
    async (request, reply) => {
      const { db } = app.deps;
      const { id } = callerOf(request);
      // Before the first byte: what fails here is still answered as an error.
      const first = await listHistory(db, id, request.query);
      if (request.query.limit !== undefined || first.next_before === null) {
        const { history, next_before } = first;
        return { history: history.map(toBody), next_before } satisfies HistoryResponse;
      }
      const rest = restOfHistory(db, id, first);
      return reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(asJson(first.history, rest)));
    },
  );
};

type Item = HistoryResponse['history'][number];

function toBody(run: HistoryItem): Item {
  return {
    ...run,
    completed_at: run.completed_at.toISOString(),
    regraded_at: run.regraded_at?.toISOString() ?? null,
  };
}

/** Writes a whole history as it is read: there may be thousands of quizzes. */
async function* asJson(
  first: HistoryItem[],
  rest: AsyncIterable<HistoryItem[]>,
): AsyncGenerator<string> {
  const asText = (part: HistoryItem[]) => part.map((run) => JSON.stringify(toBody(run))).join(',');
  yield `{"history":[${asText(first)}`;
  for await (const part of rest) yield `,${asText(part)}`;
  yield '],"next_before":null}';
}
