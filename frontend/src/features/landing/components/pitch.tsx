import { useTranslation } from 'react-i18next';
import styles from './pitch.module.css';

export function Pitch() {
  const { t } = useTranslation();
  return (
    <section className={styles.pitch} aria-labelledby="pitch-title">
      <h2 id="pitch-title" className={styles.title}>
        {t('landing.pitch_title')}
      </h2>
      <p className={styles.text}>{t('landing.pitch_text')}</p>
    </section>
  );
}
