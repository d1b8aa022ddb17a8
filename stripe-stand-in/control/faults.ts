import { matchesPattern } from '../params.ts';
import { type Static, type TProperties, Type } from 'typebox';

/** A fault as the control API returns it. */
export type Fault = { id: string; order: FaultOrder; hits: number; left: number };

/** A fault that applies to a call or an event. */
export type Hit<O extends FaultOrder> = {
  id: string;
  order: O;
  /** 1 for the first call or event that this fault hit. */
  count: number;
  /** Resolves when its time is over, or when it is removed. */
  released: Promise<void>;
};

export type Faults = {
  add(order: FaultOrder): Fault;
  list(): Fault[];
  /** Removes a fault and releases what it holds; without an id, all faults. */
  remove(id?: string): void;
  hitCall(name: string): Hit<CallFaultOrder> | null;
  hitEvent(type: string): Hit<WebhookFaultOrder> | null;
  /** Stops without releasing held calls and events, which are lost with the stand-in. */
  close(): void;
};

type Active = Fault & { passed: number; removed: PromiseWithResolvers<void> };

/**
 * The injected faults. Deterministic: each counts its hits, and the first one that applies is used. They are not
 * stored when the stand-in stops.
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

/** How many it hits, and how many it skips before. */
const COUNTS = {
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  skip: Type.Optional(Type.Integer({ minimum: 0 })),
};
const Milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }));
const When = Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')]));

/** `call` is a call of the API, such as `POST /v1/refunds` or `GET /v1/charges/:id`; it may end with `*`. */
const onCalls = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Type.Object(
    {
      kind: Type.Literal(kind),
      call: Type.String({ pattern: '^(GET |POST |\\*)' }),
      ...COUNTS,
      ...properties,
    },
    { additionalProperties: false },
  );

/** `event` is an event type; it may end with `*`. */
const onEvents = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Type.Object(
    {
      kind: Type.Literal(kind),
      event: Type.String({ minLength: 1 }),
      ...COUNTS,
      ...properties,
    },
    { additionalProperties: false },
  );

const CallFaultOrder = Type.Union([
  onCalls('error', {
    when: When,
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    stored: Type.Optional(Type.Boolean()),
  }),
  onCalls('hang', { when: When, milliseconds: Milliseconds }),
  onCalls('drop', { when: When }),
]);
const WebhookFaultOrder = Type.Union([
  onEvents('duplicate', { copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  onEvents('delay', { milliseconds: Milliseconds }),
  onEvents('reorder', {}),
  onEvents('lose', {
    listed: Type.Optional(Type.Union([Type.Literal('undelivered'), Type.Literal('delivered')])),
  }),
]);

/** The bodies of `POST /_control/faults`; README.md describes the faults. */
export const FaultOrder = Type.Union([CallFaultOrder, WebhookFaultOrder]);
export type FaultOrder = Static<typeof FaultOrder>;
export type CallFaultOrder = Static<typeof CallFaultOrder>;
export type WebhookFaultOrder = Static<typeof WebhookFaultOrder>;
