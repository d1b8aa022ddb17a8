import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/** Tells administrators that reports were closed or opened again. */
export const tellFeedbackHandler: Handler<'feedback.closed' | 'feedback.reopened'> = (
  _events,
  { once },
) => once((tx) => notifyLive(tx, [{ topic: 'feedback' }]));
