import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** The names of a body's fields that the contract's schema refuses. Loaded with the portal only. */
export function faultyFields(schema: TSchema, body: object): string[] {
  const names = Errors(schema, body).map(({ instancePath }) => instancePath.split('/')[1] ?? '');
  return [...new Set(names)].filter((name) => name in body);
}
