import { Button } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { ButtonLink } from '#components/link.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { focusHeading } from '#lib/focus-heading.ts';
import { actOnImport, editedSinceQuery, importKeys, pendingQuery, validateImport } from './api.ts';
import { counted } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { isReading } from './import-state.tsx';
import { stopUpload, useUpload } from './upload.ts';

/** The actions for an import in its current state. */
export function ImportActions({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const show = useShowAfterAction(one.id);
  const confirm = useMutation({
    mutationFn: () => actOnImport(one.id, 'confirm'),
    onSuccess: show,
  });
  const gains = one.imported + one.updated > 0;

  const ask = (name: 'cancel' | 'discard') => (
    <Button
      variant="secondary"
      data-color="danger"
      onClick={() =>
        confirmAction({
          title: t(`import.${name}.title`),
          body: <p>{t(`import.${name}.text`)}</p>,
          action: t(`import.${name}.button`),
          // "Cancel" beside "Cancel the import" would be a trap.
          ...(name === 'cancel' && { keep: t('import.cancel.keep') }),
          run: () => actOnImport(one.id, name),
          onDone: show,
        })
      }
    >
      {t(`import.${name}.button`)}
    </Button>
  );

  return (
    <div className={styles.actions}>
      {isReading(one.state) && ask('cancel')}
      {one.state === 'checked' && (
        <>
          {gains && (
            <BusyButton busy={confirm.isPending} onClick={() => confirm.mutate()}>
              {t('import.confirm.button')}
            </BusyButton>
          )}
          {ask('discard')}
          <FormAlert>{confirm.error ? errorText(confirm.error) : ''}</FormAlert>
        </>
      )}
      {one.state === 'completed' && gains && <CompletedActions one={one} onDone={show} />}
    </div>
  );
}

type CompletedActionsProps = { one: Import; onDone: (one: Import) => void };

/** Reviewing comes first; validating unread questions is possible, as long as some are not validated. */
function CompletedActions({ one, onDone }: CompletedActionsProps) {
  const { t } = useTranslation('admin');
  const { data: pending } = useQuery(pendingQuery(one.id));

  function askToValidate() {
    confirmAction({
      title: t('import.validate.title'),
      body: <p>{t('import.validate.text')}</p>,
      action: t('import.validate.button'),
      tone: 'primary',
      run: () => validateImport(one.id),
      onDone: ({ total }) => notify(t('import.validate.started', counted(total))),
    });
  }
  function askToUndo() {
    confirmAction({
      title: t('import.undo.title'),
      body: <UndoText one={one} />,
      action: t('import.undo.button'),
      keep: t('import.undo.keep'),
      run: () => actOnImport(one.id, 'undo'),
      onDone,
    });
  }

  return (
    <>
      {pending === 0 ? (
        <ButtonLink
          to="/admin/dashboard/questions"
          search={{ import_id: one.id }}
          variant="secondary"
        >
          {t('import.show_questions')}
        </ButtonLink>
      ) : (
        <>
          <ButtonLink
            to="/admin/dashboard/questions"
            search={{ import_id: one.id, validation: 'pending' }}
          >
            {t('import.review_questions')}
          </ButtonLink>
          <Button variant="secondary" onClick={askToValidate}>
            {t('import.validate.button')}
          </Button>
        </>
      )}
      <Button variant="secondary" data-color="danger" onClick={askToUndo}>
        {t('import.undo.button')}
      </Button>
    </>
  );
}

/** What undoing an import removes, later edits included. */
function UndoText({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const { data, isPending } = useQuery(editedSinceQuery(one.id));
  return (
    <>
      <p>{t('import.undo.text', counted(one.imported))}</p>
      <p role="status">
        {isPending
          ? t('import.undo.checking')
          : data && data.edited > 0
            ? t('import.undo.edited', counted(data.edited))
            : ''}
      </p>
    </>
  );
}

/** Shows the import after an action. */
function useShowAfterAction(id: string): (one: Import) => void {
  const queryClient = useQueryClient();
  const isOwn = useUpload()?.id === id;
  return (one) => {
    // The server knows of the action first; otherwise stopping would look like a broken connection.
    if (isOwn) stopUpload();
    queryClient.setQueryData(importKeys.one(id), one);
    void queryClient.invalidateQueries({ queryKey: importKeys.all });
    // The pressed button has disappeared.
    focusHeading();
  };
}
