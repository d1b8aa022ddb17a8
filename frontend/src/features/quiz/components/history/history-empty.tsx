import { ClipboardCheckmarkIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import styles from './test-history.module.css';

export function HistoryEmpty() {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.empty}>
      <ClipboardCheckmarkIcon aria-hidden />
      <h3>{t('history.empty_title')}</h3>
      <p>{t('history.empty_text')}</p>
      <ButtonLink to="/quiz">{t('history.empty_action')}</ButtonLink>
    </div>
  );
}
