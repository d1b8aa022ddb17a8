import type { AccountResponse } from '@proveklar/contract/account.ts';
import i18next from 'i18next';
import { accountQuery } from '#features/account/api.ts';
import { currentLanguage } from '#i18n/i18n.ts';
import type { FollowedParts } from './live/live-updates.ts';

/**
 * Stores the language of the pages with the account, so that mails have it too: after each sign-in,
 * and whenever it changes. Failures are silent, because the next time stores it again.
 */
export function followLanguage({
  queryClient,
  request,
  getSession,
  onSessionChange,
}: FollowedParts): void {
  async function store(): Promise<void> {
    const { user } = getSession();
    if (!user) return;
    const account = await queryClient.ensureQueryData(accountQuery);
    const language = currentLanguage();
    if (account.language === language || getSession().user?.uid !== user.uid) return;
    const body = { language };
    const answer = await request('/account/profile', { method: 'PUT', signedIn: true, body });
    const changed = (await answer.json()) as AccountResponse;
    if (getSession().user?.uid === user.uid) {
      queryClient.setQueryData(accountQuery.queryKey, changed);
    }
  }

  // One after another, so that the last of two quick choices is stored last.
  let lastStore = Promise.resolve();
  const storeNext = () => {
    lastStore = lastStore.then(store).catch(() => {});
  };

  let uid: string | undefined;
  function onUser() {
    const { user } = getSession();
    if (user?.uid === uid) return;
    uid = user?.uid;
    if (user) storeNext();
  }

  i18next.on('languageChanged', storeNext);
  onSessionChange(onUser);
  onUser();
}
