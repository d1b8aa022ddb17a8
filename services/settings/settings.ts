import { MAX_PRICE_NOK, MIN_PRICE_NOK } from '@proveklar/contract/limits.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

export interface Settings extends Offer, Seller {
  /** Shown to learners instead of SUPPORT_EMAIL; null to show that one. */
  support_email: string | null;
  /** When an administrator last changed something, and who; null before the first change. */
  updated_at: Date | null;
  updated_by: string | null;
}

/** The price of a payment that starts now, and the days that it gives. */
interface Offer {
  /** Øre including VAT. A feature switch too: at 0 the service is free and takes no payments. */
  price_ore: number;
  service_days: number;
}

/** What the law requires a seller to disclose; null until an administrator has entered it. */
export interface Seller {
  seller_name: string | null;
  /** Nine digits. */
  seller_organisation_number: string | null;
  seller_address: string | null;
  seller_vat_registered: boolean;
}

/** What the law requires before a sale: https://lovdata.no/dokument/NL/lov/2014-06-20-27 (§ 8), and ehandelsloven § 8. */
export function missingSellerDetails(
  seller: Seller,
): ('name' | 'organisation number' | 'address')[] {
  return [
    ...(seller.seller_name ? [] : ['name' as const]),
    ...(seller.seller_organisation_number ? [] : ['organisation number' as const]),
    ...(seller.seller_address ? [] : ['address' as const]),
  ];
}

export const SETTINGS = `
  price_ore, service_days, seller_name, seller_organisation_number, seller_address,
  seller_vat_registered, support_email, updated_by,
  case when updated_by is not null then updated_at end as updated_at`;

/** Reads the current settings. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.query<Settings>({
    name: 'read-settings',
    text: `select ${SETTINGS} from settings`,
  });
  return rows[0]!;
}

/**
 * Sets the price (øre) and the days of a new database, without an administrator. Open payments keep theirs.
 */
export async function updateSettings(db: Queryable, offer: Offer): Promise<void> {
  await db.query('update settings set price_ore = $1, service_days = $2, updated_at = now()', [
    offer.price_ore,
    offer.service_days,
  ]);
}

/**
 * A price in øre.
 *
 * @param price NOK
 * @throws AppError `validation_failed` when it cannot be charged: negative, over 99,999.99, with parts of an
 *   øre, or more than 0 and less than Stripe's minimum
 */
export function toPriceInOre(price: number): number {
  const fault = faultOf(price);
  if (fault) {
    const details = {
      field: 'price',
      part: 'body',
      minimum: MIN_PRICE_NOK,
      maximum: MAX_PRICE_NOK,
    };
    throw new AppError('validation_failed', { message: fault, details });
  }
  return Math.round(price * 100);
}

function faultOf(price: number): string | undefined {
  if (!(price >= 0 && price <= MAX_PRICE_NOK)) return 'price must be from 0 to 99,999.99 NOK';
  if (Number(price.toFixed(2)) !== price) return 'price must have two decimals at most';
  if (price > 0 && price < MIN_PRICE_NOK) {
    return 'price must be 0 (free), or at least 3.00 NOK, which is the least that Stripe charges';
  }
  return undefined;
}
