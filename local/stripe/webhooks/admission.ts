import type { WebhookFaultOrder } from '../control/fault-orders.ts';
import type { Faults, Hit } from '../control/faults.ts';
import type { Store } from '../store.ts';

type AdmissionOptions = {
  store: Store;
  faults: Faults;
  /** Sends these events one after another. */
  send: (eventIds: readonly string[]) => void;
};

/** Takes each new event in and sends it; or does to it what a fault wants. */
export function createAdmission({ store, faults, send }: AdmissionOptions) {
  /** What a `reorder` has held back so far, by fault. */
  const rows = new Map<string, string[]>();

  return (eventId: string): void => {
    const event = store.get('event', eventId);
    const hit = event === undefined ? null : faults.hitEvent(event.type);
    if (hit === null) send([eventId]);
    else mistreat(eventId, hit);
  };

  function mistreat(id: string, hit: Hit<WebhookFaultOrder>): void {
    const { order, released } = hit;
    switch (order.kind) {
      case 'duplicate':
        for (let copy = 0; copy <= (order.copies ?? 1); copy += 1) send([id]);
        return;
      case 'delay':
        void released.then(() => send([id]));
        return;
      case 'lose': {
        const state = order.listed === 'delivered' ? 'delivered' : 'abandoned';
        store.commit([['delivery', id, { id, state }]]);
        return;
      }
      case 'reorder':
        collect(id, hit);
    }
  }

  function collect(id: string, { id: faultId, order, count, released }: Hit<WebhookFaultOrder>) {
    rows.set(faultId, [id, ...(rows.get(faultId) ?? [])]);
    const sendRow = () => {
      const row = rows.get(faultId);
      rows.delete(faultId);
      if (row !== undefined) send(row);
    };
    if (count === (order.times ?? 1)) sendRow();
    // Taken away before it was complete.
    else if (count === 1) void released.then(sendRow);
  }
}
