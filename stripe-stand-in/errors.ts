import type Stripe from 'stripe';

/** The fields of Stripe's `error` object that the stand-in uses. */
export type ErrorFields = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  /** A `Stripe.PaymentIntent`, or the part of it that a publishable key may see. */
  payment_intent?: object;
  payment_method?: Stripe.PaymentMethod;
};

/**
 * A response in Stripe's error shape. `executed`: the request was executed before it failed (a declined card, an
 * intent in the wrong state), so its changes are stored, and the response is stored under its idempotency key.
 * Failed validation stores nothing.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export class StripeProblem extends Error {
  readonly status: number;
  readonly fields: ErrorFields;
  readonly executed: boolean;

  constructor(status: number, fields: ErrorFields, executed = false) {
    super(fields.message);
    this.name = 'StripeProblem';
    this.status = status;
    this.fields = fields;
    this.executed = executed;
  }
}

/** The body of an error response. */
export function errorBody(fields: ErrorFields, requestId: string): { error: object } {
  return {
    error: {
      ...(fields.code === undefined ? {} : { doc_url: docUrl(fields.code) }),
      ...fields,
      request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
    },
  };
}

export function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

/** 400: the request itself is wrong. */
export function invalidRequest(message: string, code?: string, param?: string): StripeProblem {
  return new StripeProblem(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** 404, or 400 where the missing object was named by a parameter other than the address. */
export function resourceMissing(noun: string, id: string, param: string): StripeProblem {
  return new StripeProblem(param === 'id' || param === 'intent' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });
}

/** 400: the intent is in a state from which this cannot be done. */
export function unexpectedState(message: string, intent: object): StripeProblem {
  const fields: ErrorFields = {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  };
  return new StripeProblem(400, fields, true);
}
