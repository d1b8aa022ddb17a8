import { matchesPattern } from '../patterns.ts';
import type { CallFaultOrder, FaultOrder, WebhookFaultOrder } from './fault-orders.ts';

/** A fault as the control API shows it. */
export type Fault = { id: string; order: FaultOrder; hits: number; left: number };

/** A fault that has hit a call or an event. */
export type Hit<O extends FaultOrder> = {
  id: string;
  order: O;
  /** 1 for the first that this fault hit. */
  count: number;
  /** Resolves when its time is over, or when it is taken away. */
  released: Promise<void>;
};

export type Faults = {
  add(order: FaultOrder): Fault;
  list(): Fault[];
  /** Takes a fault away and lets go of what it holds; without an id, all of them. */
  remove(id?: string): void;
  hitCall(name: string): Hit<CallFaultOrder> | null;
  hitEvent(type: string): Hit<WebhookFaultOrder> | null;
  /** Lets go of nothing: what is held is gone with the stand-in. */
  close(): void;
};

type Active = Fault & { passed: number; removed: PromiseWithResolvers<void> };

/**
 * The faults that were ordered. Each counts what it hits, and the first that applies hits: no
 * chance, no clock. They are forgotten when the stand-in stops.
 */
export function createFaults(): Faults {
  const active = new Map<string, Active>();
  const timers = new Set<NodeJS.Timeout>();
  let made = 0;

  function hit<O extends FaultOrder>(isMeant: (order: FaultOrder) => order is O): Hit<O> | null {
    for (const fault of active.values()) {
      const { order } = fault;
      if (!isMeant(order) || fault.left === 0) continue;
      if (fault.passed < (order.skip ?? 0)) {
        fault.passed += 1;
        continue;
      }
      fault.hits += 1;
      fault.left -= 1;
      return { id: fault.id, order, count: fault.hits, released: released(fault) };
    }
    return null;
  }

  function released({ order, removed }: Active): Promise<void> {
    const milliseconds = 'milliseconds' in order ? order.milliseconds : undefined;
    if (milliseconds === undefined) return removed.promise;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, milliseconds);
      timers.add(timer);
      void removed.promise.then(resolve);
    });
  }

  return {
    add(order) {
      made += 1;
      const id = `fault_${made}`;
      const removed = Promise.withResolvers<void>();
      const fault = { id, order, hits: 0, left: order.times ?? 1, passed: 0, removed };
      active.set(id, fault);
      return shown(fault);
    },
    list: () => Array.from(active.values(), shown),
    remove(id) {
      for (const fault of active.values()) {
        if (id !== undefined && fault.id !== id) continue;
        active.delete(fault.id);
        fault.removed.resolve();
      }
    },
    hitCall: (name) =>
      hit((order): order is CallFaultOrder => 'call' in order && matchesPattern(name, order.call)),
    hitEvent: (type) =>
      hit(
        (order): order is WebhookFaultOrder =>
          'event' in order && matchesPattern(type, order.event),
      ),
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function shown({ id, order, hits, left }: Active): Fault {
  return { id, order, hits, left };
}
