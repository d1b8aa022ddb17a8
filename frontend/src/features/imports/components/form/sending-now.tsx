import { Alert } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Upload } from '../../upload/upload.ts';

/** A file is on its way from this page. */
export function SendingNow({ upload: { id, file } }: { upload: Upload }) {
  const { t } = useTranslation('admin');
  return (
    <Alert data-color="info" data-size="sm">
      {t('import.sending_now', { name: file.name })}{' '}
      <Link className="ds-link" to="/admin/dashboard/imports/$id" params={{ id }}>
        {t('import.show')}
      </Link>
    </Alert>
  );
}
