import { invalidRequest } from './errors.ts';
import { readTexts } from './params.ts';
import type { Params } from './params.ts';
import type { Work } from './work.ts';

/** Fields that hold an id and can be asked for as the object itself. */
const EXPANDABLE = {
  charge: (work: Work, id: string) => work.get('charge', id),
  latest_charge: (work: Work, id: string) => work.get('charge', id),
  payment_intent: (work: Work, id: string) => work.get('payment_intent', id),
  payment_method: (work: Work, id: string) => work.get('payment_method', id)?.object,
} as const;

/**
 * Replaces the ids named by `expand[]` with their objects, one level deep; `data.` reaches into
 * the items of a list. Source: https://docs.stripe.com/expand
 */
export function expand(work: Work, body: object, params: Params): object {
  const paths = readTexts(params, 'expand');
  if (paths === null) return body;
  const ofItems = paths.filter((path) => path.startsWith('data.')).map((path) => path.slice(5));
  const ofBody = paths.filter((path) => !path.startsWith('data.'));
  const expanded: Record<string, unknown> = { ...expandFields(work, body, ofBody) };
  if (ofItems.length > 0 && Array.isArray(expanded.data)) {
    expanded.data = expanded.data.map((item: object) => expandFields(work, item, ofItems));
  }
  return expanded;
}

function expandFields(work: Work, body: object, fields: string[]): object {
  const expanded: Record<string, unknown> = { ...body };
  for (const field of fields) {
    const value = expanded[field];
    if (!(field in EXPANDABLE) || value === undefined) {
      throw invalidRequest(`This property cannot be expanded (${field}).`, undefined, 'expand');
    }
    const load = EXPANDABLE[field as keyof typeof EXPANDABLE];
    if (typeof value === 'string') expanded[field] = load(work, value) ?? value;
  }
  return expanded;
}
