import { Alert, Button } from '@digdir/designsystemet-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { startUpload, stopUpload, type Upload } from '../upload/upload.ts';
import styles from './upload-failed.module.css';

/** The file did not get through, or was not taken. Nothing of it is in the bank. */
export function UploadFailed({ upload: { file, options, error } }: { upload: Upload }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const hasChanged = error instanceof ApiError && error.code === 'file_changed';
  const isBroken = error instanceof ApiError && error.status === 0;

  function again() {
    const id = startUpload(file, options);
    void navigate({ to: '/admin/dashboard/imports/$id', params: { id }, replace: true });
  }
  function chooseAnother() {
    stopUpload();
    void navigate({ to: '/admin/dashboard' });
  }

  return (
    <Alert data-color="danger" role="alert">
      <div className={styles.failed}>
        <h2>{t('import.failed_status', { status: statusText(error) })}</h2>
        <p>
          {hasChanged
            ? t('import.file_changed')
            : isBroken
              ? t('import.connection_broken')
              : errorText(error)}
        </p>
        <p>{t('import.outcome.nothing_kept')}</p>
        <div className={styles.buttons}>
          {!hasChanged && <Button onClick={again}>{t('import.send_again')}</Button>}
          <Button variant="secondary" onClick={chooseAnother}>
            {t('import.choose_other')}
          </Button>
        </div>
      </div>
    </Alert>
  );
}
