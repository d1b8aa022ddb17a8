import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from './short-id.ts';

/** What was done, as a sentence; an action that this page does not know yet is named as it is. */
export function useActionText() {
  const { t, i18n } = useTranslation('admin');
  return useCallback(
    (action: string, subject: string): string => {
      // No address is `active`.
      if (action === 'days.granted' && subject === 'active') return t('audit.granted_active');
      const key = `audit.action.${action}`;
      if (!i18n.exists(key, { ns: 'admin' })) return t('audit.unknown', { action, subject });
      // The test beside it holds that every action has its text.
      return t(key as 'audit.action.user.deleted', { subject: shortId(subject) });
    },
    [t, i18n],
  );
}
