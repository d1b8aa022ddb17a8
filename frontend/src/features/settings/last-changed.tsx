import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatShortDateTime } from '#lib/format-compact.ts';

type LastChangedProps = {
  at: string | null;
  by: string | null;
  /** The action of such a change in the audit log. */
  action: 'settings.updated' | 'exam_profile.updated';
  never: string;
};

/** Who changed it last, and when, with a link to the audit log. */
export function LastChanged({ at, by, action, never }: LastChangedProps) {
  const { t, i18n } = useTranslation('admin');
  if (at === null) return <p className="muted">{never}</p>;
  const date = formatShortDateTime(at, i18n.language);
  return (
    <p className="muted">
      {t('settings.last_changed', { date, email: by ?? '–' })}{' '}
      <Link to="/admin/dashboard/audit" search={{ action }} className="ds-link">
        {t('settings.see_log')}
      </Link>
    </p>
  );
}
