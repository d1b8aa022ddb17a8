import { BookIcon, CheckmarkCircleIcon, LineGraphStackedIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import styles from './features.module.css';

const features = [
  { key: 'content', Icon: BookIcon },
  { key: 'results', Icon: CheckmarkCircleIcon },
  { key: 'progress', Icon: LineGraphStackedIcon },
] as const;

export function Features() {
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
