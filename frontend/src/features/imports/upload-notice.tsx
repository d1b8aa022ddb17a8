import { Alert } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUpload } from './upload.ts';

/** Shown on the portal's other pages while an upload runs, or after it failed. */
export function UploadNotice() {
  const { t } = useTranslation('admin');
  const upload = useUpload();
  if (!upload) return null;
  const isFailed = upload.error !== undefined;
  return (
    <Alert
      data-color={isFailed ? 'danger' : 'info'}
      data-size="sm"
      role={isFailed ? 'alert' : undefined}
    >
      {t(isFailed ? 'import.not_sent' : 'import.being_sent', { name: upload.file.name })}{' '}
      <Link className="ds-link" to="/admin/dashboard/imports/$id" params={{ id: upload.id }}>
        {t('import.show')}
      </Link>
    </Alert>
  );
}
