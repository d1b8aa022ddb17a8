import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import styles from './site-footer.module.css';

export function SiteFooter() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <nav aria-label={t('footer.nav')}>
          <ul className={styles.links}>
            <li>
              <Link to="/personvern">{t('footer.privacy')}</Link>
            </li>
            <li>
              <Link to="/vilkar">{t('footer.terms')}</Link>
            </li>
            <li>
              <Link to="/angrerett">{t('footer.withdrawal')}</Link>
            </li>
            <li>
              <Link to="/cookies">{t('footer.cookies')}</Link>
            </li>
            <li>
              <Link to="/tilgjengelighet">{t('footer.accessibility')}</Link>
            </li>
            <li>
              <a href={config ? `mailto:${config.support_email}` : undefined}>
                {t('footer.contact')}
              </a>
            </li>
          </ul>
        </nav>
        {/* Always there, so that the page which the server filled in is taken over as it is. */}
        <p className={styles.note}>{sellerLine(config?.seller)}</p>
        <p className={styles.note}>{t('footer.not_affiliated')}</p>
        <p className={styles.note}>
          {t('footer.copyright')}
          {/* Its page loads the sign-in: not because somebody's pointer passes. */}
          <Link to="/admin" preload={false}>
            {t('footer.admin')}
          </Link>
        </p>
      </div>
    </footer>
  );
}
