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
import { EMAIL_SHAPE } from './limits.ts';

// Building blocks that the schemas of several resources share.

/** An object that refuses unknown fields. Every object of the contract uses it. */
export function Closed<P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const OrNull = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** One value of a closed set, as a union of literals. */
function Literals<const T extends readonly string[]>(values: T) {
  type Each = { -readonly [K in keyof T]: TLiteral<T[K]> };
  return Type.Union(values.map((value) => Type.Literal(value))) as unknown as TUnion<Each>;
}

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
/** An email address. The format alone accepts quoted and dotless ones. */
export const Email = Type.String({
  format: 'email',
  pattern: EMAIL_SHAPE,
  maxLength: 254,
});

/** The number of a row in the database, such as a question's. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A calendar day, such as `2026-05-17`. PostgreSQL has no year 0. */
export const Day = (description?: string) =>
  Type.String({ format: 'date', pattern: '^(?!0000)', ...(description && { description }) });

/** An amount of money in øre. */
export const Ore = (description: string) => Type.Integer({ minimum: 0, description });

/** Language of screens and mails: Norwegian bokmål or English. */
export const Language = Literals(languages);
export type Language = Static<typeof Language>;

/** Language of a question; the languages of the bank are data. `no` is Norwegian bokmål. */
export const QuestionLanguage = Type.String({
  pattern: LANGUAGE_CODE,
  description: 'BCP 47: language, script, region, such as `no`, `en`, `sr-Latn`.',
});

/**
 * The body of every error. `error` is readable text; `code` is stable, and the frontend translates by it;
 * `details` names the field, or has what the code documents.
 */
export const ErrorBody = Closed({
  error: Type.String(),
  code: Type.Enum(ERROR_CODES),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** The responses of a route, and the common error body for every other status. */
export function withErrors<R extends Record<number, TSchema>>(responses: R) {
  return { ...responses, '4xx': ErrorBody, '5xx': ErrorBody };
}

/** The request body of a call that takes no data. */
export const EmptyBody = Type.Union([Type.Null(), Closed({})]);

/** The response of a call that returns no data. */
export const Ok = Closed({ ok: Type.Literal(true) });
