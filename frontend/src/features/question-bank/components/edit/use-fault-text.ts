import { useTranslation } from 'react-i18next';
import type { FaultReason } from '../../draft.ts';

/** What is wrong with a field, and what to do; nothing where nothing is. */
export function useFaultText() {
  const { t } = useTranslation('admin');
  return (reason: FaultReason | undefined) => reason && t(`questions.fault.${reason}`);
}
