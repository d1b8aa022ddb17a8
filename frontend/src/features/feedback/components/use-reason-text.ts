import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useTranslation } from 'react-i18next';

/** What a learner chose as the reason, in the words of the choice. */
export function useReasonText() {
  const { t } = useTranslation('admin');
  return (reason: keyof ReportedQuestion['reasons']): string =>
    reason === 'none' ? t('feedback.no_reason') : t(`feedback.reason_names.${reason}`);
}
