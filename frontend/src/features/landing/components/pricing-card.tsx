import { CheckmarkIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { configQuery } from '#lib/config.ts';
import { Price } from './price.tsx';
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
