import type { Consumer } from '#consumer.ts';
import { tellAccountHandler } from './tell-account.handler.ts';

/** The live queue: events of which clients are told, and nothing else is done. */
export const liveConsumer: Consumer<'live'> = {
  queue: 'live',
  concurrency: 4,
  handlers: { 'payment.succeeded': tellAccountHandler, 'account.changed': tellAccountHandler },
};
