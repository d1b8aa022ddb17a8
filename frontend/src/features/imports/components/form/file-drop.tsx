import { Button, ValidationMessage } from '@digdir/designsystemet-react';
import { FileTextIcon, UploadIcon, XMarkIcon } from '@navikt/aksel-icons';
import { useId } from 'react';
import { type FileRejection, useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { fileFormat } from '../../file-format.ts';
import { formatBytes } from '../../format-amounts.ts';
import styles from './file-drop.module.css';

/** What is wrong with what was chosen; the text of it is under `import.file_fault`. */
export type FileFault = 'none' | 'type' | 'several' | 'empty' | 'large';

type FileDropProps = {
  file: File | null;
  fault: FileFault | null;
  onChoose: (file: File) => void;
  onFault: (fault: FileFault) => void;
  onRemove: () => void;
};

/** In bytes; as the service has it. */
const LARGEST_FILE = 2 * 1024 ** 3;

const ACCEPTED = { 'application/json': ['.json'], 'text/csv': ['.csv'] };

/** Where a file is dropped, or chosen with a button. */
export function FileDrop({ file, fault, onChoose, onFault, onRemove }: FileDropProps) {
  const { t } = useTranslation('admin');
  const id = useId();
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    accept: ACCEPTED,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDrop([chosen]: File[], rejections: FileRejection[]) {
      if (chosen?.size === 0) onFault('empty');
      else if (chosen && chosen.size > LARGEST_FILE) onFault('large');
      // Some systems call any file JSON or CSV; it is the name that counts.
      else if (chosen && fileFormat(chosen.name)) onChoose(chosen);
      else onFault(rejections.length > 1 ? 'several' : 'type');
    },
  });
  return (
    <div role="group" aria-labelledby={`${id}-label`} className={styles.field}>
      <p id={`${id}-label`} className={styles.label}>
        {t('import.file')}
      </p>
      <div
        {...getRootProps({ className: styles.zone })}
        data-active={isDragActive || undefined}
        data-invalid={fault ? true : undefined}
      >
        <input {...getInputProps({ 'aria-label': t('import.file'), tabIndex: -1 })} />
        {file ? (
          <>
            <FileTextIcon aria-hidden className={styles.icon} />
            <p className={styles.name}>
              <strong>{file.name}</strong> <span>{formatBytes(file.size)}</span>
            </p>
          </>
        ) : (
          <>
            <UploadIcon aria-hidden className={styles.icon} />
            <p id={`${id}-hint`}>{t(isDragActive ? 'import.drop_now' : 'import.drop_hint')}</p>
          </>
        )}
        <div className={styles.buttons}>
          <Button
            type="button"
            variant="secondary"
            onClick={open}
            aria-describedby={fault ? `${id}-fault` : file ? undefined : `${id}-hint`}
          >
            {t(file ? 'import.choose_other' : 'import.choose')}
          </Button>
          {file && (
            <Button
              type="button"
              icon
              variant="tertiary"
              data-color="neutral"
              aria-label={t('import.remove_file')}
              onClick={onRemove}
            >
              <XMarkIcon aria-hidden />
            </Button>
          )}
        </div>
      </div>
      <div id={`${id}-fault`} role="alert">
        {fault && <ValidationMessage>{t(`import.file_fault.${fault}`)}</ValidationMessage>}
      </div>
    </div>
  );
}
