import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import illustration from './hero.svg';
import styles from './hero.module.css';

export function Hero() {
  const { t } = useTranslation();
  return (
    <section className={styles.hero}>
      <div className={styles.text}>
        <p className={styles.eyebrow}>{t('landing.eyebrow')}</p>
        <h1 className={styles.headline}>{t('landing.headline')}</h1>
        <p className={styles.subtitle}>{t('landing.subtitle')}</p>
        <div className={styles.actions}>
          <ButtonLink to="/quiz" data-size="lg">
            {t('landing.start_quiz')}
          </ButtonLink>
          <ButtonLink to="/smakebit" data-color="accent" data-size="lg">
            {t('landing.try_sample')}
          </ButtonLink>
          <ButtonLink to="/" hash="pris" variant="tertiary" data-size="lg" className={styles.quiet}>
            {t('landing.see_price')}
          </ButtonLink>
        </div>
      </div>
      <img
        className={styles.illustration}
        src={illustration}
        alt={t('landing.hero_alt')}
        width={1440}
        height={720}
        fetchPriority="high"
      />
    </section>
  );
}
