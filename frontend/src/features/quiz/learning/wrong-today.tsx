import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { useTranslation } from 'react-i18next';

/** Says that what was wrong today comes back; nothing if nothing was. */
export function WrongToday({ today }: Pick<LearningResponse, 'today'>) {
  const { t } = useTranslation('learner');
  const count = today.wrong_today;
  return count > 0 ? <p>{t('learning.wrong_today', { count })}</p> : null;
}
