import type { Faults } from './control/faults.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** What every route works with. */
export type Context = {
  store: Store;
  webhooks: Webhooks;
  faults: Faults;
  /** Idempotency keys of requests that have not been run yet. */
  keysInUse: Set<string>;
};
