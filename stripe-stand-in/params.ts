import { parse } from 'qs';
import { invalidRequest, resourceMissing } from './errors.ts';

/** The parameters of a form or a query: `metadata[a]=b` is an object, `expand[0]=c` an array. */
export type Params = Record<string, unknown>;

/** Reads Stripe's bracketed form encoding. */
export function parseForm(text: string): Params {
  return parse(text, { arrayLimit: 100, depth: 6 });
}

/** Rejects unknown parameters, as Stripe does. */
export function refuseUnknown(params: Params, known: readonly string[]): void {
  const stranger = Object.keys(params).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  throw invalidRequest(`Received unknown parameter: ${stranger}`, 'parameter_unknown', stranger);
}

/** A text, or null when it is absent or empty (`''` unsets a value). */
export function readText(params: Params, name: string): string | null {
  const value = params[name];
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalidRequest('Invalid string', 'parameter_invalid', name);
  return value;
}

export function requireText(params: Params, name: string): string {
  const value = readText(params, name);
  if (value === null) throw missing(name);
  return value;
}

export function readInteger(params: Params, name: string): number | null {
  const value = readText(params, name);
  if (value === null) return null;
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', name);
}

export function requireInteger(params: Params, name: string): number {
  const value = readInteger(params, name);
  if (value === null) throw missing(name);
  return value;
}

export function readBoolean(params: Params, name: string): boolean | null {
  const value = readText(params, name);
  if (value === null) return null;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidRequest(`Invalid boolean: ${value}`, 'parameter_invalid_boolean', name);
}

export function readObject(params: Params, name: string): Params | null {
  const value = params[name];
  if (value === undefined || value === '') return null;
  if (isParams(value)) return value;
  throw invalidRequest('Invalid object', 'parameter_invalid_object', name);
}

export function readTexts(params: Params, name: string): string[] | null {
  const value = params[name];
  if (value === undefined || value === '') return null;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === 'string')) return list;
  throw invalidRequest('Invalid array', 'parameter_invalid_array', name);
}

/**
 * Merges `metadata` into the existing metadata. An empty value removes a key; an empty text removes all.
 * Source: https://docs.stripe.com/api/metadata
 */
export function mergeMetadata(
  current: Readonly<Record<string, string>>,
  params: Params,
): Record<string, string> {
  if (params.metadata === '') return {};
  const metadata = { ...current };
  for (const [key, value] of Object.entries(readObject(params, 'metadata') ?? {})) {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500) {
      throw invalidRequest(
        'Metadata keys may have 40 characters and values 500, and values are texts.',
        'parameter_invalid_string',
        `metadata[${key}]`,
      );
    }
    if (value === '') delete metadata[key];
    else metadata[key] = value;
  }
  if (Object.keys(metadata).length <= 50) return metadata;
  throw invalidRequest('Metadata has more than 50 keys.', undefined, 'metadata');
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function missing(name: string) {
  return invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name);
}

export const LIST_PARAMS = ['created', 'ending_before', 'limit', 'starting_after'];

type Listed = { id: string; created: number };

/**
 * A page of a list, newest first: up to `limit` items (10 by default, at most 100) after `starting_after` or just
 * before `ending_before`, created within `created[gt|gte|lt|lte]`. A cursor need not match the filter itself.
 * `url` is that of the list; the noun for errors is derived from it.
 * Source: https://docs.stripe.com/api/pagination
 */
export function listPage<T extends Listed>(
  oldestFirst: readonly T[],
  params: Params,
  url: string,
  matches: (item: T) => boolean = () => true,
) {
  const noun = url.replace(/^.*\//, '').replace(/s$/, '');
  const limit = readInteger(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Limit must be from 1 to 100.', 'parameter_invalid_integer', 'limit');
  }
  const all = oldestFirst.toReversed();
  const after = readText(params, 'starting_after');
  const before = readText(params, 'ending_before');
  if (after !== null && before !== null) {
    throw invalidRequest('You may only specify one of these: starting_after, ending_before.');
  }
  const created = createdFilter(params);
  const from = after === null ? 0 : positionOf(all, after, noun, 'starting_after') + 1;
  const to = before === null ? all.length : positionOf(all, before, noun, 'ending_before');
  const candidates = all.slice(from, to).filter((item) => matches(item) && created(item.created));
  const data = before === null ? candidates.slice(0, limit) : candidates.slice(-limit);
  return { object: 'list' as const, data, has_more: candidates.length > limit, url };
}

function positionOf(all: readonly Listed[], id: string, noun: string, param: string): number {
  const position = all.findIndex((item) => item.id === id);
  if (position === -1) throw resourceMissing(noun, id, param);
  return position;
}

function createdFilter(params: Params): (created: number) => boolean {
  if (typeof params.created === 'string') {
    const exact = readInteger(params, 'created');
    return (created) => exact === null || created === exact;
  }
  const range = readObject(params, 'created') ?? {};
  const gt = readInteger(range, 'gt') ?? -Infinity;
  const gte = readInteger(range, 'gte') ?? -Infinity;
  const lt = readInteger(range, 'lt') ?? Infinity;
  const lte = readInteger(range, 'lte') ?? Infinity;
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}

/** A filter by the parameters `charge` and `payment_intent`, if present. */
export function ofPayment(params: Params) {
  const charge = readText(params, 'charge');
  const intent = readText(params, 'payment_intent');
  return (item: { charge?: unknown; payment_intent: unknown }): boolean =>
    (charge === null || item.charge === charge) &&
    (intent === null || item.payment_intent === intent);
}

/** Whether a name matches a pattern: `charge.*` matches every name that begins with `charge.`. */
export function matchesPattern(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
