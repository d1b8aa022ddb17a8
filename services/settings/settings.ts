import type { Queryable } from '#database/pool.ts';

export interface Settings {
  /** Øre including VAT; 0 means that the service is free. */
  price_ore: number;
  service_days: number;
}

/** The price and the days that a payment made now would get. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.query<Settings>({
    name: 'read-settings',
    text: 'select price_ore, service_days from settings',
  });
  return rows[0]!;
}

/** Changes the price (øre) and the days. Payments already begun keep theirs. */
export async function updateSettings(db: Queryable, settings: Settings): Promise<void> {
  await db.query('update settings set price_ore = $1, service_days = $2, updated_at = now()', [
    settings.price_ore,
    settings.service_days,
  ]);
}
