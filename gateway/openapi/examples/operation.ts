import type { ErrorBody } from '@proveklar/contract/common.ts';

/**
 * What the API document says about an operation beyond its schemas. To document a route:
 *
 * 1. write an `OperationDocs` in the file of its resource here,
 * 2. set it in the route: `config: { access: …, docs: docs.startQuiz }`,
 * 3. write the set-up of each example in tests/support/examples/, such as `startQuiz.drill`, and one for
 *    each of its errors, such as `startQuiz.topic_unknown`.
 *
 * gateway/routes/openapi-examples.test.ts then calls every example and error, and reports missing ones.
 */
export interface OperationDocs<Body = unknown, Answer = unknown> {
  operationId: string;
  /** What a caller should know beyond the summary. Markdown. */
  description: string;
  /** By a short name. Each is called by gateway/routes/openapi-examples.test.ts. */
  examples: Record<string, Example<Body, Answer>>;
  /**
   * Errors of this operation, with their body except the code. gateway/openapi/complete-operation.ts
   * adds the errors of access and validation.
   */
  errors?: Partial<Record<ErrorBody['code'], Partial<Omit<ErrorBody, 'code'>>>>;
  /** Errors on our side; by default 500 and 503. */
  serverErrors?: readonly ErrorBody['code'][];
}

/** A request and the answer to it. */
export interface Example<Body = unknown, Answer = unknown> {
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string | number>;
  body?: Body;
  /** Default 200. */
  status?: number;
  answer: Answer;
}
