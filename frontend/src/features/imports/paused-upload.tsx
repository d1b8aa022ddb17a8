import { Alert, Button, ValidationMessage } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { useSession } from '#lib/session.ts';
import { formatBytes } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { resumeUpload } from './upload.ts';

/** An upload that was interrupted: its sender chooses the same file to go on. */
export function PausedUpload({ one }: { one: Import }) {
  const { t, i18n } = useTranslation('admin');
  const { user } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [other, setOther] = useState<File | null>(null);
  const { bytes_received: sent, bytes_total: total } = one;
  const size = { done: formatBytes(sent), total: formatBytes(total ?? 0) };
  const until = one.resumable_until && formatShortDateTime(one.resumable_until, i18n.language);
  const name = one.file_name ?? t('import.no_name');
  const isOwn = user?.email?.toLowerCase() === one.imported_by;

  function choose(file: File | undefined) {
    if (!file) return;
    if (file.size === total) resumeUpload(one, file);
    // The content is compared by the server.
    else setOther(file);
  }

  return (
    <Alert data-color="warning">
      <div className={styles.failed}>
        <h2>{t('import.resume.title')}</h2>
        <p>{t('import.resume.sent', size)}</p>
        <p>{t(isOwn ? 'import.resume.choose_same' : 'import.resume.by_other', { name, until })}</p>
        {isOwn && (
          <>
            <input
              ref={input}
              type="file"
              hidden
              aria-label={t('import.resume.choose')}
              onChange={(event) => choose(event.currentTarget.files?.[0])}
            />
            <div className={styles.buttons}>
              <Button onClick={() => input.current?.click()}>{t('import.resume.choose')}</Button>
            </div>
          </>
        )}
        <div role="alert">
          {other && (
            <ValidationMessage>
              {t('import.resume.other_file', {
                name: other.name,
                size: formatBytes(other.size),
                total: size.total,
              })}
            </ValidationMessage>
          )}
        </div>
      </div>
    </Alert>
  );
}
