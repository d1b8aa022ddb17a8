import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Radio,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { MAX_FILE_BYTES } from '@proveklar/contract/limits.ts';
import { DownloadIcon, FileTextIcon, UploadIcon, XMarkIcon } from '@navikt/aksel-icons';
import { useId, useState } from 'react';
import { type FileRejection, useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { Form } from '#components/form.tsx';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { fileFormat, type ImportOptions, type TableChoices } from './api.ts';
import { FilePreview } from './file-preview.tsx';
import { formatBytes } from './format-amounts.ts';
import styles from './imports.module.css';
import { OPTIONAL_FIELDS, REQUIRED_FIELDS } from './use-field-name.ts';

type ImportFormProps = {
  /** Uploads of this administrator that were interrupted. */
  paused: readonly Import[];
  onImport: (file: File, options: ImportOptions) => void;
  onResume: (one: Import, file: File) => void;
};

/** The form to choose a file and the options of its import. */
export function ImportForm({ paused, onImport, onResume }: ImportFormProps) {
  const { t } = useTranslation('admin');
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [dryRun, setDryRun] = useState(false);
  const [onDuplicate, setOnDuplicate] = useState<ImportOptions['onDuplicate']>('skip');
  const [choices, setChoices] = useState<TableChoices>({});

  function choose(next: File | null, nextFault: FileFault | null) {
    setFile(next);
    setFault(nextFault);
    setChoices({});
  }
  function submit() {
    if (file) onImport(file, { dryRun, onDuplicate, ...choices });
    else setFault(fault ?? 'none');
  }

  const begun =
    file && paused.find((one) => one.file_name === file.name && one.bytes_total === file.size);

  return (
    <Form
      className={styles.form}
      busy={false}
      submit={t(dryRun ? 'import.start_dry_run' : 'import.start')}
      button={{ className: styles.submit }}
      onSubmit={submit}
    >
      <FileDrop
        file={file}
        fault={fault}
        onChoose={(chosen) => choose(chosen, null)}
        onFault={(next) => choose(null, next)}
        onRemove={() => choose(null, null)}
      />
      {file && begun && <ResumeOffer one={begun} onResume={() => onResume(begun, file)} />}
      {file ? (
        <FilePreview
          key={`${file.name} ${file.lastModified}`}
          file={file}
          choices={choices}
          onChoose={setChoices}
        />
      ) : (
        <FormatHint />
      )}
      <div className={styles.options}>
        <Fieldset>
          <Fieldset.Legend>{t('import.on_duplicate')}</Fieldset.Legend>
          <Fieldset.Description>{t('import.duplicate_means')}</Fieldset.Description>
          {(['skip', 'update'] as const).map((value) => (
            <Radio
              key={value}
              name="on_duplicate"
              value={value}
              label={t(`import.duplicate_${value}`)}
              description={t(`import.duplicate_${value}_text`)}
              checked={onDuplicate === value}
              onChange={() => setOnDuplicate(value)}
            />
          ))}
        </Fieldset>
        <Checkbox
          value="dry_run"
          label={t('import.dry_run')}
          description={t('import.dry_run_text')}
          checked={dryRun}
          onChange={(event) => setDryRun(event.currentTarget.checked)}
        />
      </div>
    </Form>
  );
}

type ResumeOfferProps = { one: Import; onResume: () => void };

/** Shown when the upload of the chosen file was begun before. */
function ResumeOffer({ one, onResume }: ResumeOfferProps) {
  const { t, i18n } = useTranslation('admin');
  const { file_name: name, bytes_received: sent, bytes_total: total } = one;
  return (
    <Alert data-color="info" data-size="sm" role="status">
      <p>
        {t('import.resume.offer', {
          name,
          when: formatShortDateTime(one.created_at, i18n.language),
          done: formatBytes(sent),
          total: formatBytes(total ?? 0),
        })}
      </p>
      <Button type="button" data-size="sm" onClick={onResume}>
        {t('import.resume.button')}
      </Button>
    </Alert>
  );
}

/** The error of the chosen file; its text is in `import.file_fault`. */
type FileFault = 'none' | 'type' | 'several' | 'empty' | 'large' | 'large_xlsx';

type FileDropProps = {
  file: File | null;
  fault: FileFault | null;
  onChoose: (file: File) => void;
  onFault: (fault: FileFault) => void;
  onRemove: () => void;
};

const MAX_XLSX_BYTES = 50 * 1024 ** 2;

const ACCEPTED = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'text/csv': ['.csv'],
  'application/json': ['.json'],
  'application/gzip': ['.gz'],
};

/** A drop zone with a button to choose a file. */
function FileDrop({ file, fault, onChoose, onFault, onRemove }: FileDropProps) {
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
      else if (chosen && chosen.size > MAX_FILE_BYTES) onFault('large');
      else if (chosen && fileFormat(chosen.name) === 'xlsx' && chosen.size > MAX_XLSX_BYTES) {
        onFault('large_xlsx');
      }
      // Checks the name, because some systems report the JSON or CSV type for any file.
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
            <p className={styles.fileName}>
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

// An example of the bank's content, which is Norwegian in both languages of the page.
const EXAMPLE = `[
  {
    "language": "no",
    "topic": "Historie",
    "question": "Når fikk Norge sin egen grunnlov?",
    "answer": "1814",
    "incorrect": ["1905", "1945", "1776"]
  }
]`;

/** The file format, with an example and template files. */
function FormatHint() {
  const { t } = useTranslation('admin');
  return (
    <div className={styles.hint}>
      <p>{t('import.format_short')}</p>
      <ul className={styles.templates}>
        {(['json', 'csv'] as const).map((format) => (
          <li key={format}>
            <a
              className="ds-button"
              data-variant="tertiary"
              data-size="sm"
              href={`/api/v1/admin/import-templates/${format}`}
              download
            >
              <DownloadIcon aria-hidden />
              {t('import.template', { format: format.toUpperCase() })}
            </a>
          </li>
        ))}
      </ul>
      <details className={styles.details}>
        <summary>{t('import.format_title')}</summary>
        <div className={styles.content}>
          <p>{t('import.format_json')}</p>
          <pre lang="nb">
            <code>{EXAMPLE}</code>
          </pre>
          <dl className={styles.fields}>
            {[...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].map((field, position) => (
              <div key={field}>
                <dt>
                  <code>{field}</code>
                  {position >= REQUIRED_FIELDS.length && <span>{t('import.optional')}</span>}
                </dt>
                <dd>{t(`import.field.${field}`)}</dd>
              </div>
            ))}
          </dl>
          <p>{t('import.format_csv')}</p>
        </div>
      </details>
    </div>
  );
}
