import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from './brand-mark.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import styles from './site-header.module.css';

export function SiteHeader({ actions }: { actions?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand} aria-label={t('app.home')}>
          <BrandMark />
          <span className={styles.name}>{t('app.name')}</span>
        </Link>
        <div className={styles.actions}>
          {actions}
          <LanguageSwitch />
        </div>
      </div>
    </header>
  );
}
