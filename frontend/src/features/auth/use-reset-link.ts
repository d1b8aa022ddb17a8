import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { identity } from '#lib/session.ts';
import { authErrorText } from './auth-error.ts';

/** Sends the link for a new password, and says to whom it went or why it did not. */
export function useResetLink() {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [sentTo, setSentTo] = useState('');
  const [busy, setBusy] = useState(false);

  /** @returns whether it was sent */
  async function send(email: string): Promise<boolean> {
    setMessage(email ? '' : t('fields.fill_in_all'));
    if (!email) return false;
    setBusy(true);
    try {
      await (await identity()).sendPasswordReset(email, currentLanguage());
      setSentTo(email);
      return true;
    } catch (error) {
      const text = authErrorText(error);
      // Whether an address has an account is nobody else's business: it looks the same.
      if (text === 'user_not_found') {
        setSentTo(email);
        return true;
      }
      setMessage(t('auth.failed_reset', { message: t(`auth.error.${text}`) }));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { sentTo, message, busy, send };
}
