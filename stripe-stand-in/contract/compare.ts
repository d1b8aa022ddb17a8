import type { Answer } from './script.ts';

/** Values that decide what our code does: they must be the same, not only of the same type. */
const DECIDING = new Set([
  'amount',
  'amount_received',
  'cancellation_reason',
  'currency',
  'description',
  'has_more',
  'livemode',
  'object',
  'paid',
  'reason',
  'refunded',
  'same',
  'statement_descriptor_suffix',
  'status',
  'type',
]);
/** Of lists of everything in an account, only the kind of the items is compared. */
const OF_THE_ACCOUNT =
  /^(list intents|list webhook endpoints|events of a payment|undelivered events|list intents since|list transactions)/;
/** What the account, the card's bank or the network says in its own words. */
const FREE = new Set(['outcome', 'status_details', 'fraud_details', 'metadata', 'processing']);

/**
 * Where Stripe's answers are not as the stand-in's: another error, another deciding value, or a field of another
 * type or missing. What Stripe has in addition does not matter: our code cannot depend on it.
 */
export function differencesOf(standIn: readonly Answer[], stripe: readonly Answer[]): string[] {
  const others = new Map(stripe.map((answer) => [answer.step, answer]));
  return standIn.flatMap((mine) => {
    const other = others.get(mine.step);
    if (other === undefined) return [`${mine.step}: Stripe was not asked`];
    if ('error' in mine || 'error' in other) {
      const [expected, found] = [mine, other].map((it) => ('error' in it ? it.error : 'no error'));
      const [one, two] = [JSON.stringify(expected), JSON.stringify(found)];
      return one === two ? [] : [`${mine.step}: the stand-in has ${one}, Stripe ${two}`];
    }
    const isFree = OF_THE_ACCOUNT.test(mine.step);
    return compare(mine.step, mine.body, other.body, isFree);
  });
}

function compare(path: string, mine: unknown, other: unknown, isFree: boolean): string[] {
  // A null of the stand-in says only that the field exists.
  if (mine === null) return other === undefined ? [`${path}: Stripe has no such field`] : [];
  if (other === undefined) return [`${path}: Stripe has no such field`];
  const [expected, found] = [typeOf(mine), typeOf(other)];
  if (expected !== found) return [`${path}: the stand-in has a ${expected}, Stripe a ${found}`];
  if (Array.isArray(mine) && Array.isArray(other)) {
    if (mine.length === 0) return [];
    if (other.length === 0) return [`${path}: Stripe's list is empty`];
    // Items of a list of everything are of different kinds.
    return isFree ? [] : compare(`${path}[0]`, mine[0], other[0], isFree);
  }
  if (typeof mine !== 'object') {
    const name = path.split('.').at(-1) ?? '';
    const decides = !isFree && DECIDING.has(name) && mine !== other;
    return decides
      ? [`${path}: the stand-in has ${JSON.stringify(mine)}, Stripe ${JSON.stringify(other)}`]
      : [];
  }
  return Object.entries(mine).flatMap(([name, value]) =>
    FREE.has(name) || name === 'lastResponse'
      ? []
      : compare(`${path}.${name}`, value, (other as Record<string, unknown>)[name], isFree),
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
