import { Type, type Static } from 'typebox';
import { Closed } from './common.ts';

/** What a client can be told to read again. */
export const LIVE_TOPICS = [
  'account',
  'statistics',
  'feedback',
  'imports',
  'questions',
  'payments',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * The data of a message on the stream. Beside these there are two named events without contents:
 * `ready` comes first, `resync` after messages may have been missed; on both, everything that is
 * shown should be read again.
 */
export const LiveEvent = Closed({
  topic: Type.Enum(LIVE_TOPICS, { description: 'What changed: read it again.' }),
  request_id: Type.Optional(
    Type.String({
      description: 'The `x-request-id` of the call that changed it, where it was one.',
    }),
  ),
});
export type LiveEvent = Static<typeof LiveEvent>;
