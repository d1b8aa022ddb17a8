import { useTranslation } from 'react-i18next';

type CodeGroup = 'dispute_status' | 'dispute_reason' | 'decline_code' | 'refund_failure';

/** Stripe's and the banks' words in plain ones; a word that is not known is told as it came. */
export function useCodeText() {
  const { t, i18n } = useTranslation('admin');
  return (group: CodeGroup, code: string): string => {
    const key = `payments.${group}.${code}`;
    // The failure may be a sentence, whose dots and colons would be read as those of a key.
    return /^[a-z_]+$/.test(code) && i18n.exists(key, { ns: 'admin' })
      ? t(key as 'payments.decline_code.generic_decline')
      : t('payments.other_code', { code });
  };
}
