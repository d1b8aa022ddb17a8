import { CheckmarkIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { configQuery } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';
import { useSession } from '#lib/session.ts';
import styles from './sample.module.css';

const items = ['practice', 'topics', 'history'] as const;

/** What an account gives beyond the sample, and what it costs. */
export function SamplePitch() {
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const { status } = useSession();
  const { data: config } = useQuery(configQuery);
  // Whoever came here from within is known; nobody is asked to sign in for this page.
  if (status === 'signed-in') {
    return <ButtonLink to="/quiz">{t('result.again')}</ButtonLink>;
  }
  const isFree = config?.price === 0;
  return (
    <section className={styles.pitch} aria-labelledby="pitch-title">
      <h2 id="pitch-title">{t('sample.pitch_title')}</h2>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item}>
            <CheckmarkIcon aria-hidden />
            {t(`sample.pitch_${item}`)}
          </li>
        ))}
        {config && !isFree && (
          <li>
            <CheckmarkIcon aria-hidden />
            {t('translation:landing.pricing_item_no_subscription')}
          </li>
        )}
      </ul>
      {isFree && <p>{t('sample.pitch_free')}</p>}
      {config && !isFree && (
        <p>
          <strong className={styles.amount}>{formatKroner(config.price, i18n.language)}</strong>{' '}
          {t('translation:landing.pricing_duration', { count: config.service_days })}
          {config.price_includes_vat && ` ${t('translation:landing.pricing_vat')}`}
        </p>
      )}
      <ButtonLink to="/quiz" search={{ mode: 'register' }} data-color="accent" data-size="lg">
        {t('translation:auth.create_account')}
      </ButtonLink>
    </section>
  );
}
