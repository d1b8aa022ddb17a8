import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './open-quizzes.module.css';

const LOOK_MS = 10_000;

type TimeLeftProps = { seconds: number; readAt: number };

/** How many minutes a test that is running has left. They are not read aloud as they pass. */
export function TimeLeft({ seconds, readAt }: TimeLeftProps) {
  const { t } = useTranslation('learner');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const count = Math.ceil((seconds - Math.max(0, now - readAt) / 1000) / 60);
  return (
    <span className={styles.time}>
      {count > 0 ? t('practice.reminder', { count }) : t('practice.up_title')}
    </span>
  );
}
