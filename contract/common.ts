import {
  type Static,
  type TLiteral,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from 'typebox';
import { ERROR_CODES } from './error-codes.ts';
import { LANGUAGE_CODE, languages } from './language.ts';

// What the schemas of several resources are made of.

/** An object that refuses unknown fields. Every object of the contract is made with this. */
export function Closed<P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const OrNull = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** One of a closed set, as a union of its literals. */
function Literals<const T extends readonly string[]>(values: T) {
  type Each = { -readonly [K in keyof T]: TLiteral<T[K]> };
  return Type.Union(values.map((value) => Type.Literal(value))) as unknown as TUnion<Each>;
}

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
/**
 * An address as people have them. The format alone lets quoted and dotless ones pass, which the
 * identity provider would refuse after the payment.
 */
export const Email = Type.String({
  format: 'email',
  pattern: '^[^@\\s"\\[\\]]+@[^@\\s"\\[\\].]+([.][^@\\s"\\[\\].]+)+$',
  maxLength: 254,
});

/** An amount of money in øre. */
export const Ore = (description: string) => Type.Integer({ minimum: 0, description });

/** Language of screens and mails: Norwegian bokmål or English. */
export const Language = Literals(languages);
export type Language = Static<typeof Language>;

/** Language of a question: which there are is data. `no` is Norwegian bokmål. */
export const QuestionLanguage = Type.String({
  pattern: LANGUAGE_CODE,
  description: 'BCP 47: language, script, region, such as `no`, `en`, `sr-Latn`.',
});

/**
 * Body of every error. `error` may be shown to a person; `code` is stable and is what the
 * frontend translates by; `details` names the field, or carries what the code documents.
 */
export const ErrorBody = Closed({
  error: Type.String(),
  code: Type.Enum(ERROR_CODES),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** The responses of a route: its own, and the one error shape for every other status. */
export function withErrors<R extends Record<number, TSchema>>(responses: R) {
  return { ...responses, '4xx': ErrorBody, '5xx': ErrorBody };
}

/** The body of a call that takes none. */
export const NoBody = Type.Union([Type.Null(), Closed({})]);

/** The answer of a call that has nothing to tell. */
export const Ok = Closed({ ok: Type.Literal(true) });
