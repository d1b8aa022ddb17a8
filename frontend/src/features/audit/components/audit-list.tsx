import type { AuditEntry } from '@proveklar/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { useActionText } from '../use-action-text.ts';
import { AuditDetails } from './audit-details.tsx';
import { SubjectLink } from './subject-link.tsx';
import styles from './audit-list.module.css';

export function AuditList({ entries, busy }: { entries: AuditEntry[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const actionText = useActionText();
  return (
    <ol className={styles.list} aria-label={t('audit.list')} aria-busy={busy || undefined}>
      {entries.map(({ id, at, actor, action, subject, details }) => (
        <li key={id} className={styles.entry}>
          <p className={styles.what}>
            {actionText(action, subject)} <SubjectLink action={action} subject={subject} />
          </p>
          <p className={styles.who}>
            <time dateTime={at}>{formatShortDateTime(at, i18n.language)}</time> · {actor}
          </p>
          <AuditDetails details={details} />
        </li>
      ))}
    </ol>
  );
}
