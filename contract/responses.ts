import { Type, type TSchema } from 'typebox';
import { Closed, ErrorBody } from './common.ts';

/** The responses of a route: its own, and the one error shape for every other status. */
export function withErrors<R extends Record<number, TSchema>>(responses: R) {
  return { ...responses, '4xx': ErrorBody, '5xx': ErrorBody };
}

/** The body of a call that takes none. */
export const NoBody = Type.Union([Type.Null(), Closed({})]);

/** The answer of a call that has nothing to tell. */
export const Ok = Closed({ ok: Type.Literal(true) });
