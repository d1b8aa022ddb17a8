import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './audit-list.module.css';

const OF_USERS = new Set([
  'user.disabled',
  'user.enabled',
  'user.password_link_sent',
  'days.granted',
]);

/** The way to what something was done to, where that is still there and has a page. */
export function SubjectLink({ action, subject }: { action: string; subject: string }) {
  const { t } = useTranslation('admin');
  const className = `ds-link ${styles.link}`;
  if (action.startsWith('import.')) {
    return (
      <Link to="/admin/dashboard/imports/$id" params={{ id: subject }} className={className}>
        {t('audit.see_import')}
      </Link>
    );
  }
  if (action === 'payment.refund_requested' || action === 'payment.synced') {
    return (
      <Link to="/admin/dashboard/payments/$id" params={{ id: subject }} className={className}>
        {t('audit.see_payment')}
      </Link>
    );
  }
  if (OF_USERS.has(action) && subject.includes('@')) {
    return (
      <Link to="/admin/dashboard/users" search={{ email: subject }} className={className}>
        {t('audit.see_user')}
      </Link>
    );
  }
  const isOfQuestion = action.startsWith('question.') || action.startsWith('feedback.');
  if (isOfQuestion && action !== 'question.deleted') {
    return (
      <Link to="/admin/dashboard/questions/$id" params={{ id: subject }} className={className}>
        {t('audit.see_question')}
      </Link>
    );
  }
  return null;
}
