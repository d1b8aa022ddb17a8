import { Button, Checkbox, Fieldset, Radio } from '@digdir/designsystemet-react';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOptions } from '../../api.ts';
import { FileDrop, type FileFault } from './file-drop.tsx';
import { FormatHint } from './format-hint.tsx';
import styles from './import-form.module.css';

type ImportFormProps = { onImport: (file: File, options: ImportOptions) => void };

/** Chooses a file and what is done with it. */
export function ImportForm({ onImport }: ImportFormProps) {
  const { t } = useTranslation('admin');
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [dryRun, setDryRun] = useState(false);
  const [onDuplicate, setOnDuplicate] = useState<ImportOptions['onDuplicate']>('skip');

  function choose(next: File | null, nextFault: FileFault | null) {
    setFile(next);
    setFault(nextFault);
  }
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (file) onImport(file, { dryRun, onDuplicate });
    else setFault(fault ?? 'none');
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <FileDrop
        file={file}
        fault={fault}
        onChoose={(chosen) => choose(chosen, null)}
        onFault={(next) => choose(null, next)}
        onRemove={() => choose(null, null)}
      />
      <FormatHint />
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
      <Button type="submit" className={styles.submit}>
        {t(dryRun ? 'import.start_dry_run' : 'import.start')}
      </Button>
    </form>
  );
}
