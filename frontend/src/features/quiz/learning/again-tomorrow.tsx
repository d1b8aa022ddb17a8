import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { useTranslation } from 'react-i18next';

/** Says that what was wrong today comes back; nothing if nothing was. */
export function AgainTomorrow({ today }: Pick<LearningResponse, 'today'>) {
  const { t } = useTranslation('learner');
  const count = today.again_tomorrow;
  return count > 0 ? <p>{t('learning.again_tomorrow', { count })}</p> : null;
}
