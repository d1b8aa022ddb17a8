import type { MailDeps } from '@proveklar/services/mail/send-once.ts';
import { tellRegraded } from '@proveklar/services/mail/tell-regraded.ts';
import { RetryLater, type Handler } from '#consumer.ts';

/** Tells learners by mail that results of theirs changed because a key was wrong. */
export function tellRegradedHandler(deps: MailDeps): Handler<'result.regraded'> {
  return async (events, { once, log }) => {
    for (const event of events) {
      const outcome = await tellRegraded(deps, event.payload);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      const level = outcome === 'refused' ? 'error' : 'info';
      log[level]({ regrade: event.payload.regrade_id, outcome }, 'regraded result');
    }
    await once(async () => {});
  };
}
