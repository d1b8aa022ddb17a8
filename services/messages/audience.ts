import type { Audience, MessageKind } from '@proveklar/contract/messages.ts';
import { ADDRESS_REFUSED } from '#mail/send-once.ts';
import { AGREES_TO_NEWS } from './news-consent.ts';

const PRACTISED = `exists (
  select from quiz where quiz.account_id = account.id and quiz.state <> 'cancelled')`;
const PRACTISED_LATELY = `exists (
  select from quiz where quiz.account_id = account.id and quiz.state <> 'cancelled'
    and greatest(quiz.started_at, quiz.ended_at) > now() - interval '30 days')`;

/** SQL over `account` and `settings`: who is in an audience. */
const AUDIENCE: Record<Audience, string> = {
  all: 'true',
  active: '(coalesce(account.service_expires_at > now(), false) or settings.price_ore = 0)',
  expired: 'account.service_expires_at <= now()',
  never_practised: `not ${PRACTISED}`,
  not_lately: `${PRACTISED} and not ${PRACTISED_LATELY}`,
};

/** SQL over `account` and `settings`: whether a learner is in the audience of a message of this kind. */
export const inAudience = ({ kind, audience }: { kind: MessageKind; audience: Audience }): string =>
  `account.state = 'active' and ${AUDIENCE[audience]}${kind === 'news' ? ` and ${AGREES_TO_NEWS}` : ''}`;

/** At most one message in this time, of either kind. */
const PAUSE = '7 days';

/**
 * SQL over `account`: why a learner of the audience will not get a message, as far as it is known ahead; null
 * when nothing speaks against it.
 */
export const SKIPPED_AHEAD = `case
  when ${ADDRESS_REFUSED} then 'refused_before'
  when exists (select from message_recipient earlier
               where earlier.account_id = account.id and earlier.state in ('queued', 'sent')
                 and earlier.at > now() - interval '${PAUSE}') then 'recent' end`;
