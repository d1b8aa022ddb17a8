import type { Database } from '@proveklar/services/database/pool.ts';
import { readSettings, updateSettings } from '@proveklar/services/settings/settings.ts';

const PRICE_ORE = 149_00;
const SERVICE_DAYS = 30;

/** The database starts with a free service; the demo charges what the landing page says. */
export async function seedSettings(db: Database): Promise<void> {
  const { rows } = await db.query('select from account limit 1');
  const { price_ore } = await readSettings(db);
  // Once somebody uses it, a price of 0 is somebody's wish.
  if (rows.length > 0 || price_ore > 0) return;
  await updateSettings(db, { price_ore: PRICE_ORE, service_days: SERVICE_DAYS });
}
