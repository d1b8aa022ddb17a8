import { Type, type Static } from 'typebox';
import { Closed } from './common.ts';

/** The topics of live updates: what a client should read again. */
export const LIVE_TOPICS = [
  'account',
  'statistics',
  'feedback',
  'imports',
  'questions',
  'payments',
  'messages',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * The data of a message on the stream. There are also two named events without data: `ready` comes first,
 * `resync` when messages may have been missed. On both, a client should read again everything that it shows.
 */
export const LiveEvent = Closed({
  topic: Type.Enum(LIVE_TOPICS, { description: 'What changed: read it again.' }),
  request_id: Type.Optional(
    Type.String({
      description: 'The `x-request-id` of the call that changed it, if a call did.',
    }),
  ),
});
export type LiveEvent = Static<typeof LiveEvent>;
