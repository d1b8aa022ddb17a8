import type { AccountResponse } from '@proveklar/contract/account.ts';
import { LANGUAGE_COOKIE } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { accountQuery } from '#features/account/api.ts';
import { readCookie } from '#lib/cookies.ts';
import type { FollowedParts } from './live-updates.ts';

/** The cookie is written when a language is chosen, and not when the browser's own is shown. */
function isChosen(): boolean {
  return readCookie(LANGUAGE_COOKIE) !== undefined;
}

const shownLanguage = () => (i18next.resolvedLanguage === 'en' ? 'en' : 'no');

/**
 * Lets the mails to the learner be in the language that they chose on the screen: told once after a
 * sign-in, and whenever it is changed. Quietly: what fails is told the next time.
 */
export function followLanguage({
  queryClient,
  request,
  getSession,
  onSessionChange,
}: FollowedParts): void {
  async function tell(): Promise<void> {
    const { user } = getSession();
    if (!user || !isChosen()) return;
    const account = await queryClient.ensureQueryData(accountQuery);
    const language = shownLanguage();
    if (account.language === language || getSession().user?.uid !== user.uid) return;
    const body = { language };
    const answer = await request('/account/profile', { method: 'PUT', signedIn: true, body });
    const changed = (await answer.json()) as AccountResponse;
    if (getSession().user?.uid === user.uid) {
      queryClient.setQueryData(accountQuery.queryKey, changed);
    }
  }

  // One after another: of two quick choices the last one counts.
  let told = Promise.resolve();
  const tellNext = () => {
    told = told.then(tell).catch(() => {});
  };

  let uid: string | undefined;
  function onUser() {
    const { user } = getSession();
    if (user?.uid === uid) return;
    uid = user?.uid;
    if (user) tellNext();
  }

  i18next.on('languageChanged', tellNext);
  onSessionChange(onUser);
  onUser();
}
