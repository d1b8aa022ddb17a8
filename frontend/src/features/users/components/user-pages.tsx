import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import styles from './users-screen.module.css';

type UserPagesProps = {
  page: number;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/** Only the next page and those before are known: the identity provider counts none. */
export function UserPages({ page, onPrevious, onNext }: UserPagesProps) {
  const { t } = useTranslation('admin');
  if (!onPrevious && !onNext) return null;
  return (
    <nav aria-label={t('users.pages')} className={styles.pages}>
      <Button variant="secondary" data-size="sm" aria-disabled={!onPrevious} onClick={onPrevious}>
        {t('users.previous')}
      </Button>
      <span aria-live="polite">{t('users.page', { page })}</span>
      <Button variant="secondary" data-size="sm" aria-disabled={!onNext} onClick={onNext}>
        {t('users.next')}
      </Button>
    </nav>
  );
}
