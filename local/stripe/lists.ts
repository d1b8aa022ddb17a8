import { invalidRequest, resourceMissing } from './errors.ts';
import { readInteger, readObject, readText } from './params.ts';
import type { Params } from './params.ts';

export const LIST_PARAMS = ['created', 'ending_before', 'limit', 'starting_after'];

type Listed = { id: string; created: number };

/**
 * One page, newest first: at most `limit` (10, at most 100) items after `starting_after` or just
 * before `ending_before`, created within `created[gt|gte|lt|lte]`. A cursor need not be `wanted`
 * itself. `url` is that of the list, and tells how its items are called.
 * Source: https://docs.stripe.com/api/pagination
 */
export function listPage<T extends Listed>(
  oldestFirst: readonly T[],
  params: Params,
  url: string,
  wanted: (item: T) => boolean = () => true,
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
  const candidates = all.slice(from, to).filter((item) => wanted(item) && created(item.created));
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

/** Chooses what belongs to the `charge` and to the `payment_intent` that are asked for, if any. */
export function ofPayment(params: Params) {
  const charge = readText(params, 'charge');
  const intent = readText(params, 'payment_intent');
  return (item: { charge?: unknown; payment_intent: unknown }): boolean =>
    (charge === null || item.charge === charge) &&
    (intent === null || item.payment_intent === intent);
}
