import { AppError } from '#errors/app-error.ts';

/** The least that Stripe charges in NOK: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const LEAST = 3;
const MOST = 99_999.99;

/**
 * A price in øre.
 *
 * @param price NOK
 * @throws AppError `validation_failed` when nobody can be charged it: negative, over 99,999.99, parts
 *   of an øre, or more than 0 and less than Stripe's minimum
 */
export function toPriceInOre(price: number): number {
  const fault = faultOf(price);
  if (fault) {
    const details = { field: 'price', part: 'body', minimum: LEAST, maximum: MOST };
    throw new AppError('validation_failed', { message: fault, details });
  }
  return Math.round(price * 100);
}

function faultOf(price: number): string | undefined {
  if (!(price >= 0 && price <= MOST)) return 'price must be from 0 to 99,999.99 NOK';
  if (Number(price.toFixed(2)) !== price) return 'price must have two decimals at most';
  if (price > 0 && price < LEAST) {
    return 'price must be 0 (free), or at least 3.00 NOK, which is the least that Stripe charges';
  }
  return undefined;
}
