import type { Import } from '@proveklar/contract/imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { stopUpload, useUpload } from '#features/imports/upload/upload.ts';
import { useErrorText } from '#lib/error-text.ts';
import { focusHeading } from '#lib/focus-heading.ts';
import { actOnImport, type ImportAction, importKeys, validateImport } from '../api.ts';
import { counted } from '../format-amounts.ts';
import { isReading } from '../import-state.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './import-actions.module.css';

/** What can be done with an import in its state. */
export function ImportActions({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const action = useImportAction(one.id);
  const added = one.imported + one.updated;

  const ask = (name: Exclude<ImportAction, 'confirm'>) => (
    <ConfirmedAction
      button={t(`import.${name}.button`)}
      title={t(`import.${name}.title`)}
      mutation={action}
      onConfirm={(options) => action.mutate(name, options)}
    >
      {t(`import.${name}.text`, counted(one.imported))}
    </ConfirmedAction>
  );

  return (
    <div className={styles.actions}>
      {isReading(one.state) && ask('cancel')}
      {one.state === 'checked' && (
        <>
          {added > 0 && (
            <BusyButton
              busy={action.isPending && action.variables === 'confirm'}
              onClick={() => action.mutate('confirm')}
            >
              {t('import.confirm.button')}
            </BusyButton>
          )}
          {ask('discard')}
          <FormAlert>
            {action.variables === 'confirm' && action.error ? errorText(action.error) : ''}
          </FormAlert>
        </>
      )}
      {one.state === 'completed' && added > 0 && (
        <>
          <ValidateAll one={one} />
          <ButtonLink
            to="/admin/dashboard/questions"
            search={{ import_id: one.id }}
            variant="secondary"
          >
            {t('import.show_questions')}
          </ButtonLink>
          {ask('undo')}
        </>
      )}
    </div>
  );
}

function ValidateAll({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const validate = useMutation({
    mutationFn: () => validateImport(one.id),
    onSuccess: ({ total }) => {
      notify(t('import.validate.started', counted(total)));
    },
  });
  return (
    <ConfirmedAction
      button={t('import.validate.button')}
      title={t('import.validate.title')}
      mutation={validate}
      tone="primary"
      variant="primary"
      onConfirm={(options) => validate.mutate(undefined, options)}
    >
      {t('import.validate.text')}
    </ConfirmedAction>
  );
}

/** Does something with an import; what is shown of it follows from the answer. */
function useImportAction(id: string) {
  const queryClient = useQueryClient();
  const isOwn = useUpload()?.id === id;
  return useMutation({
    mutationFn: (action: ImportAction) => actOnImport(id, action),
    onSuccess: (one) => {
      // Told first and then sent no more: otherwise it would look like a broken connection.
      if (isOwn) stopUpload();
      queryClient.setQueryData(importKeys.one(id), one);
      void queryClient.invalidateQueries({ queryKey: importKeys.all });
      // The button that was pressed is gone.
      focusHeading();
    },
  });
}
