import { readAccount } from '#accounts/account.ts';
import { readCredits, type Credit } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { readSettings } from '#settings/settings.ts';
import { currentAddresses } from './current-addresses.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';
import { serviceEnding } from './service-ending.ts';

/** Who had less than this from beginning to end still knows when it ends. */
const SHORTEST_SERVICE_MS = 5 * 24 * 60 * 60 * 1000;
/** Times lose their microseconds on the way. */
const ROUNDING_MS = 1000;

/**
 * Tells a learner by mail that their access ends soon. What was true when the event was made is asked
 * again: the mail may have waited.
 *
 * @returns `not_needed` when the end has moved, will move or has passed, the service is free now, or was short
 */
export async function tellEnding(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'service.ending'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  const { price_ore } = await readSettings(deps.db);
  const end = new Date(payload.expires_at);
  if (account.state !== 'active') return 'no_recipient';
  if (price_ore === 0 || end <= new Date()) return 'not_needed';
  const moved = Math.abs((account.service_expires_at?.getTime() ?? 0) - end.getTime());
  if (moved >= ROUNDING_MS) return 'not_needed';
  const credits = await readCredits(deps.db, account.id);
  const isExtended = credits.some(
    (credit) =>
      credit.is_waiting &&
      credit.days > credit.days_taken_back &&
      credit.starts_at.getTime() < end.getTime() + ROUNDING_MS,
  );
  if (isExtended) return 'not_needed';
  const start = startOfService(credits.filter((credit) => !credit.is_waiting));
  if (end.getTime() - start < SHORTEST_SERVICE_MS) return 'not_needed';
  const { id: accountId, language, display_name: name } = account;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = serviceEnding(language, { name, expiresAt: end }, addresses);
  const key = { eventId, kind: 'service_ending', recipient: { accountId }, language };
  return sendOnce(deps, key, account.email, content);
}

/** When the service began that runs without a break to its end. */
function startOfService(credits: Credit[]): number {
  let [start, end] = [0, 0];
  for (const { starts_at, ends_at } of credits) {
    if (starts_at.getTime() > end) start = starts_at.getTime();
    end = Math.max(end, ends_at.getTime());
  }
  return start;
}
