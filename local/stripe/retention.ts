import { IDEMPOTENCY_SECONDS } from './idempotency.ts';
import { nowInSeconds } from './ids.ts';
import type { Change } from './kept.ts';
import type { Store } from './store.ts';

/** Stripe shows events of the last 30 days. */
export const EVENT_SECONDS = 30 * 24 * 60 * 60;

/** What Stripe would have forgotten by now. Payments are kept. */
export function expired(store: Store): Change[] {
  const now = nowInSeconds();
  const answers = store
    .all('idempotent_answer')
    .filter((answer) => answer.created <= now - IDEMPOTENCY_SECONDS)
    .map((answer): Change => ['idempotent_answer', answer.id, null]);
  const events = store
    .all('event')
    .filter((event) => event.created <= now - EVENT_SECONDS)
    .flatMap((event): Change[] => [
      ['event', event.id, null],
      ['delivery', event.id, null],
    ]);
  return [...answers, ...events];
}
