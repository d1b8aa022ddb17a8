import type { ErrorBody } from '@proveklar/contract/common.ts';

/**
 * Everything that the API document says of an operation beside its schemas. To document a route:
 *
 * 1. write an `OperationDocs` for it in the file of its resource here,
 * 2. name it in the route: `config: { access: …, docs: docs.startQuiz }`,
 * 3. say in tests/support/examples/ how the world of each example is made: a set-up by the name
 *    `startQuiz.drill`, and one for each error of its own, `startQuiz.topic_unknown`.
 *
 * gateway/routes/openapi-examples.test.ts then calls every example and every error, and names what
 * is missing.
 */
export interface OperationDocs<Body = unknown, Answer = unknown> {
  operationId: string;
  /** What a caller should know beyond the summary. Markdown. */
  description: string;
  /** By a short name. Each is called by gateway/routes/openapi-examples.test.ts. */
  examples: Record<string, Example<Body, Answer>>;
  /**
   * Errors of this operation alone, with what their body has beside the code. Those that follow from
   * who may call it and what it takes are added by gateway/openapi/complete-operation.ts.
   */
  errors?: Partial<Record<ErrorBody['code'], Partial<Omit<ErrorBody, 'code'>>>>;
  /** What it answers when something breaks on our side; by default 500 and 503. */
  serverErrors?: readonly ErrorBody['code'][];
}

/** A request and the answer to it. */
export interface Example<Body = unknown, Answer = unknown> {
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: Body;
  /** Default 200. */
  status?: number;
  answer: Answer;
}
