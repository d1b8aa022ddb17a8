import type { Database } from '#database/pool.ts';
import { readSettings } from '#settings/settings.ts';
import type { MailAddresses } from './payment-confirmation.ts';

/** The addresses of a mail written now: an administrator may have chosen another one for support. */
export async function currentAddresses(
  db: Database,
  addresses: MailAddresses,
): Promise<MailAddresses> {
  const { support_email } = await readSettings(db);
  return { ...addresses, supportEmail: support_email ?? addresses.supportEmail };
}
