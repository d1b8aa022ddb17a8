import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Identity } from '#lib/identity.ts';
import { identity } from '#lib/session.ts';
import { identityErrorText } from './identity-error.ts';

type Changes = Awaited<ReturnType<Identity['changes']>>;

/** Changes something at the identity provider, and says in words what stood in the way. */
export function useIdentityCall() {
  const { t } = useTranslation('learner');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);

  /** @returns whether it was done */
  async function call(work: (changes: Changes) => Promise<void>): Promise<boolean> {
    setBusy(true);
    setMessage('');
    try {
      await work(await (await identity()).changes());
      return true;
    } catch (error) {
      setMessage(t(`profile.error.${identityErrorText(error)}`));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { call, busy, message, setMessage };
}
