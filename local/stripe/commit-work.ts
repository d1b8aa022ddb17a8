import type { Context } from './context.ts';
import type { Work } from './work.ts';

/** Writes what a request changes, together with its events, and starts delivering these. */
export function commitWork({ store, webhooks }: Context, work: Work): void {
  store.commit(work.changes);
  webhooks.deliver(work.eventIds);
}
