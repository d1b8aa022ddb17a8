import type { User } from '@proveklar/contract/users.ts';
import { useTranslation } from 'react-i18next';
import { formatShortDate } from '#lib/format-compact.ts';
import styles from './user-table.module.css';

/** Whether somebody practises, how much, and when last. */
export function UserActivity({ user }: { user: User }) {
  const { t, i18n } = useTranslation('admin');
  if (user.quizzes === 0) return <span className="muted">{t('users.no_activity')}</span>;
  return (
    <div className={styles.stack}>
      <span>
        <span className={styles.dot} aria-hidden="true" />
        {t('users.quizzes', { count: user.quizzes })}
      </span>
      {user.last_active_at && (
        <small>
          {t('users.last_active', { date: formatShortDate(user.last_active_at, i18n.language) })}
        </small>
      )}
    </div>
  );
}

/** Whether somebody may practise, and for how long. */
export function UserService({ user }: { user: User }) {
  const { t, i18n } = useTranslation('admin');
  const { days_remaining: count, service_expires_at: until } = user;
  if (count === 0) {
    const text = user.is_active ? 'free' : until ? 'expired' : 'none';
    return <span className="muted">{t(`users.service_${text}`)}</span>;
  }
  return (
    <div className={styles.stack}>
      <span>{t('users.service_days', { count })}</span>
      {until && (
        <small>{t('users.service_until', { date: formatShortDate(until, i18n.language) })}</small>
      )}
    </div>
  );
}
