import {
  BookIcon,
  CheckmarkCircleIcon,
  CheckmarkIcon,
  LineGraphStackedIcon,
} from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page, SessionLink } from '#components/page.tsx';
import { configQuery, slot } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';
import illustration from './hero.svg';
import styles from './landing.module.css';

export function LandingPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('landing.title')} width="full" headerActions={<SessionLink />}>
      <Hero />
      <div className={styles.sections}>
        <Pitch />
        <Features />
        <Pricing />
      </div>
    </Page>
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

const items = ['practice', 'topics', 'feedback', 'no_subscription'] as const;

/** The whole card is one link to /quiz; its name is the action, so that it is short to hear. */
function Pricing() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const free = config?.price === 0;
  return (
    <section id="pris" className={styles.pricing} aria-labelledby="pricing-title">
      <div className={styles.pricingIntro}>
        <h2 id="pricing-title">
          {t(free ? 'landing.pricing_title_free' : 'landing.pricing_title')}
        </h2>
        <p>{t(free ? 'landing.pricing_lead_free' : 'landing.pricing_lead')}</p>
        <ButtonLink to="/smakebit" variant="secondary" className={styles.sample}>
          {t('landing.try_sample')}
        </ButtonLink>
      </div>
      <div className={styles.pricingCard}>
        <h3>{t('landing.pricing_card_name')}</h3>
        <Price />
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={item}>
              <CheckmarkIcon aria-hidden />
              {t(`landing.pricing_item_${item}`)}
            </li>
          ))}
        </ul>
        <Link
          to="/quiz"
          search={{ mode: 'register' }}
          className={`ds-button ${styles.action}`}
          data-color="accent"
          data-size="lg"
        >
          {t('landing.pricing_action')}
        </Link>
      </div>
    </section>
  );
}

/** Price and duration as the service has them now; the space is reserved while they load. */
function Price() {
  const { t, i18n } = useTranslation();
  const { data: config, isError } = useQuery(configQuery);
  if (isError) return <p className={styles.price}>{t('landing.pricing_unavailable')}</p>;
  if (!config) {
    return (
      <div className={styles.price} role="status" aria-label={t('app.loading')}>
        <span className="ds-skeleton" style={{ width: '14rem', height: '3.25rem' }} />
      </div>
    );
  }
  if (config.price === 0) {
    return (
      <div className={styles.price}>
        <strong className={styles.amount}>{t('landing.pricing_free')}</strong>
        <span className="muted">{t('landing.pricing_free_duration')}</span>
      </div>
    );
  }
  return (
    <div className={styles.price}>
      {/* The server's tables of number formats may be of another year than the browser's. */}
      <strong className={styles.amount} suppressHydrationWarning>
        {slot('price', formatKroner(config.price, i18n.language))}
      </strong>
      <span className="muted">
        {t('landing.pricing_duration', {
          count: config.service_days,
          replace: { count: slot('days', String(config.service_days)) },
        })}
        {config.price_includes_vat && ` · ${t('landing.pricing_vat')}`}
      </span>
    </div>
  );
}
