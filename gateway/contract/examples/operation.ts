import type { ErrorBody } from '../common.ts';

/** Everything that the API document says of an operation beside its schemas. */
export interface OperationDocs<Body = unknown, Answer = unknown> {
  operationId: string;
  /** What a caller should know beyond the summary. Markdown. */
  description: string;
  /** By a short name. Each is called by gateway/routes/openapi-examples.test.ts. */
  examples: Record<string, Example<Body, Answer>>;
  /**
   * Errors of this operation alone, with what their body has beside the code. Those that follow from
   * who may call it and what it takes are added by gateway/openapi/error-examples.ts.
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
