import { Alert, Button } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import type { Edit } from '../../use-edit.ts';
import { ContentDiff } from '../page/content-diff.tsx';
import { toDraft } from '../../draft.ts';
import styles from './edit-form.module.css';

/** Why a question was not saved, and the ways on. What was typed is still in the fields. */
export function EditFailure({ edit }: { edit: Edit }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const { conflict, duplicate, faults, saving } = edit;
  if (conflict) return <Conflict edit={edit} newer={conflict} />;
  if (duplicate !== undefined) {
    return (
      <Alert data-color="danger" data-size="sm" role="alert">
        {t('questions.duplicate')}{' '}
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(duplicate) }}
          className="ds-link"
        >
          {t('questions.see_question', { id: duplicate })}
        </Link>
      </Alert>
    );
  }
  if (Object.keys(faults).length > 0) return <FormAlert>{t('questions.faulty')}</FormAlert>;
  return (
    <FormAlert>
      {saving.isError ? t('questions.failed.save', { reason: errorText(saving.error) }) : ''}
    </FormAlert>
  );
}

function Conflict({ edit, newer }: { edit: Edit; newer: NonNullable<Edit['conflict']> }) {
  const { t } = useTranslation('admin');
  return (
    <Alert data-color="warning" data-size="sm" role="alert">
      <div className={styles.conflict}>
        <h3>{t('questions.conflict.title')}</h3>
        <p>{t('questions.conflict.text')}</p>
        <ContentDiff before={edit.stored} after={toDraft(newer)} />
        <div className={styles.actions}>
          <BusyButton
            type="button"
            data-size="sm"
            busy={edit.saving.isPending}
            onClick={() => edit.save(newer.version)}
          >
            {t('questions.conflict.keep')}
          </BusyButton>
          <Button
            type="button"
            data-size="sm"
            variant="secondary"
            onClick={() => edit.discard(newer)}
          >
            {t('questions.conflict.take')}
          </Button>
        </div>
      </div>
    </Alert>
  );
}
