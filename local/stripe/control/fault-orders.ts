import { Type } from 'typebox';
import type { Static, TProperties } from 'typebox';

/** How many it hits, after how many were let through. */
const COUNTS = {
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  skip: Type.Optional(Type.Integer({ minimum: 0 })),
};
const Milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }));
const When = Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')]));

/** `call` is one of the API's, `POST /v1/refunds` or `GET /v1/charges/:id`; `*` may end it. */
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

/** `event` is a type of event; `*` may end it. */
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

/** What `POST /_control/faults` takes; README.md says what each does. */
export const FaultOrder = Type.Union([CallFaultOrder, WebhookFaultOrder]);
export type FaultOrder = Static<typeof FaultOrder>;
export type CallFaultOrder = Static<typeof CallFaultOrder>;
export type WebhookFaultOrder = Static<typeof WebhookFaultOrder>;
