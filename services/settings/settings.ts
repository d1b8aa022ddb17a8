import type { Queryable } from '#database/pool.ts';

export interface Settings extends Offer, Seller {
  /** Shown to learners in place of the environment's; null for that one. */
  support_email: string | null;
  /** When an administrator last changed something, and which; null before the first time. */
  updated_at: Date | null;
  updated_by: string | null;
}

/** What a payment made now costs and gives. */
export interface Offer {
  /** Øre including VAT; 0 means that the service is free. */
  price_ore: number;
  service_days: number;
}

/** What the law asks a seller to tell of itself; null until an administrator has filled it in. */
export interface Seller {
  seller_name: string | null;
  /** Nine digits. */
  seller_organisation_number: string | null;
  seller_address: string | null;
  seller_vat_registered: boolean;
}

export const SETTINGS = `
  price_ore, service_days, seller_name, seller_organisation_number, seller_address,
  seller_vat_registered, support_email, updated_by,
  case when updated_by is not null then updated_at end as updated_at`;

/** The settings as they are now. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.query<Settings>({
    name: 'read-settings',
    text: `select ${SETTINGS} from settings`,
  });
  return rows[0]!;
}

/**
 * Changes the price (øre) and the days without an administrator, for a new database. Payments
 * already begun keep theirs.
 */
export async function updateSettings(db: Queryable, offer: Offer): Promise<void> {
  await db.query('update settings set price_ore = $1, service_days = $2, updated_at = now()', [
    offer.price_ore,
    offer.service_days,
  ]);
}
