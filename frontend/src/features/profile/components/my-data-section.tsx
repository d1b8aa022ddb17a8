import { Alert, Button } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormCard } from '#components/form-card.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { saveFile } from '#lib/save-file.ts';
import { getExport } from '../api.ts';
import { DeleteDialog, type DeleteDialogProps } from './delete-dialog.tsx';
import styles from './section.module.css';

type MyDataSectionProps = Omit<DeleteDialogProps, 'open' | 'onClose'>;

/** All that is held about the learner: to take along, or to delete. */
export function MyDataSection(props: MyDataSectionProps) {
  const { t } = useTranslation('learner');
  const errorText = useErrorText();
  const [deleting, setDeleting] = useState(false);
  const download = useMutation({
    mutationFn: getExport,
    onSuccess: (file) => {
      saveFile(file, `proveklar-${new Date().toISOString().slice(0, 10)}.json`);
    },
  });

  return (
    <>
      <FormCard>
        <div className={styles.parts}>
          <h2>{t('profile.data.title')}</h2>
          <div className={styles.part}>
            <h3>{t('profile.data.download_title')}</h3>
            <p>{t('profile.data.download_text')}</p>
            {download.error && (
              <RetryAlert busy={download.isPending} onRetry={() => download.mutate()}>
                {t('profile.data.failed', { message: errorText(download.error) })}
              </RetryAlert>
            )}
            {!download.error && (
              <BusyButton
                variant="secondary"
                busy={download.isPending}
                onClick={() => download.mutate()}
              >
                {!download.isPending && <DownloadIcon aria-hidden />}
                {t(download.isPending ? 'profile.data.downloading' : 'profile.data.download')}
              </BusyButton>
            )}
            <div role="status">
              {download.isSuccess && (
                <Alert data-color="success" data-size="sm">
                  {t('profile.data.downloaded')}
                </Alert>
              )}
            </div>
          </div>
          <div className={styles.part}>
            <h3>{t('profile.delete.title')}</h3>
            <p>{t('profile.delete.intro')}</p>
            <Button variant="secondary" data-color="danger" onClick={() => setDeleting(true)}>
              {t('profile.delete.begin')}
            </Button>
          </div>
        </div>
      </FormCard>
      {/* Not inside: a card's forms have a button as wide as the card. */}
      <DeleteDialog {...props} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}
