import { BookIcon, CheckmarkCircleIcon, LineGraphStackedIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import illustration from './hero.svg';
import styles from './landing-page.module.css';
import { PricingCard } from './pricing-card.tsx';

export function LandingPage() {
  return (
    <>
      <Hero />
      <div className={styles.sections}>
        <Pitch />
        <Features />
        <PricingCard />
      </div>
    </>
  );
}

function Hero() {
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

function Pitch() {
  const { t } = useTranslation();
  return (
    <section className={styles.pitch} aria-labelledby="pitch-title">
      <h2 id="pitch-title" className={styles.title}>
        {t('landing.pitch_title')}
      </h2>
      <p className={styles.pitchText}>{t('landing.pitch_text')}</p>
    </section>
  );
}

const features = [
  { key: 'content', Icon: BookIcon },
  { key: 'results', Icon: CheckmarkCircleIcon },
  { key: 'progress', Icon: LineGraphStackedIcon },
] as const;

function Features() {
  const { t } = useTranslation();
  return (
    <section className={styles.section} aria-labelledby="features-title">
      <h2 id="features-title">{t('landing.features_title')}</h2>
      <ul className={styles.cards}>
        {features.map(({ key, Icon }) => (
          <li key={key} className={styles.card}>
            <span className={styles.icon}>
              <Icon aria-hidden />
            </span>
            <h3>{t(`landing.feature_${key}_title`)}</h3>
            <p>{t(`landing.feature_${key}_text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
