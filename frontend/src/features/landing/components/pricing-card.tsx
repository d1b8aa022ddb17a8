import { CheckmarkIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { configQuery } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';
import { slot } from '#lib/slot.ts';
import styles from './pricing-card.module.css';

const items = ['practice', 'topics', 'feedback', 'no_subscription'] as const;

/** The whole card is one link to /quiz; its name is the action, so that it is short to hear. */
export function PricingCard() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const free = config?.price === 0;
  return (
    <section id="pris" className={styles.section} aria-labelledby="pricing-title">
      <div className={styles.intro}>
        <h2 id="pricing-title">
          {t(free ? 'landing.pricing_title_free' : 'landing.pricing_title')}
        </h2>
        <p>{t(free ? 'landing.pricing_lead_free' : 'landing.pricing_lead')}</p>
        <ButtonLink to="/smakebit" variant="secondary" className={styles.sample}>
          {t('landing.try_sample')}
        </ButtonLink>
      </div>
      <div className={styles.card}>
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
        <span className={`ds-skeleton ${styles.skeleton}`} />
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
