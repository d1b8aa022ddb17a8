import { readAccount } from '#accounts/account.ts';
import type { EventPayload } from '#events/catalogue.ts';
import { listRegradedResults } from '#quiz/regrade.ts';
import { currentAddresses } from './current-addresses.ts';
import { quizRegraded } from './quiz-regraded.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

/**
 * Mails a learner which results of theirs a corrected key has changed: one mail for each correction.
 *
 * @returns `no_recipient` when the account, or the quizzes, were deleted meanwhile
 */
export async function tellRegraded(
  deps: MailDeps,
  payload: EventPayload<'result.regraded'>,
): Promise<MailOutcome> {
  const { regrade_id: regradeId, account_id: accountId } = payload;
  const account = await readAccount(deps.db, accountId);
  const results = await listRegradedResults(deps.db, regradeId, accountId);
  if (account.state === 'deleted' || results.length === 0) return 'no_recipient';
  const { language } = account;
  const facts = { name: account.display_name, results };
  const content = quizRegraded(language, facts, await currentAddresses(deps.db, deps.addresses));
  // The correction is what it tells of: it stays one mail, should the event ever come anew.
  const key = { eventId: regradeId, kind: 'quiz_regraded', recipient: { accountId }, language };
  return sendOnce(deps, key, account.email, content);
}
