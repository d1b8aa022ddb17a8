import { Button, Textfield } from '@digdir/designsystemet-react';
import type { DecideRowRequest, Import, ImportRow } from '@proveklar/contract/imports.ts';
import { MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { decideRow, importKeys } from './api.ts';
import { formatCount } from './format-amounts.ts';
import styles from './import-detail.module.css';

type RowDecisionProps = { one: Import; row: ImportRow };

/**
 * What to do with a row that has the text of another question and other answers: update that question, or add the row with
 * another text.
 */
export function RowDecision({ one, row }: RowDecisionProps) {
  const { t } = useTranslation('admin');
  const decided = useDecided(one);
  const [isWriting, setWriting] = useState(false);
  if (!row.differs?.row || row.question_id === null) return null;
  if (one.state !== 'checked' && one.state !== 'completed') return null;
  const number = { row: formatCount(row.row) };
  const name = row.repeats === null ? 'update' : 'update_row';

  function askToUpdate() {
    confirmAction({
      title: t('import.decide_row.update_title'),
      body: <p>{t(`import.decide_row.${one.dry_run ? 'update_dry' : 'update_text'}`)}</p>,
      action: t(`import.decide_row.${name}`, { row: formatCount(row.repeats ?? 0) }),
      tone: 'primary',
      run: () => decideRow(one.id, row.row, { action: 'update' }),
      onDone: (next) => decided(next, one.dry_run ? 'would_update' : 'updated', row),
    });
  }

  return (
    <div className={styles.buttons}>
      <Button variant="secondary" data-size="sm" onClick={askToUpdate}>
        {t(`import.decide_row.${name}`, { row: formatCount(row.repeats ?? 0) })}
      </Button>
      <Button variant="secondary" data-size="sm" onClick={() => setWriting(true)}>
        {t('import.decide_row.add')}
      </Button>
      <AppDialog
        open={isWriting}
        title={t('import.decide_row.add_title', number)}
        onClose={() => setWriting(false)}
      >
        <AddForm
          one={one}
          row={row}
          onClose={() => setWriting(false)}
          onDone={(next) => decided(next, one.dry_run ? 'would_add' : 'added', row)}
        />
      </AppDialog>
    </div>
  );
}

type AddFormProps = RowDecisionProps & { onClose: () => void; onDone: (next: Import) => void };

// A component of its own, so that each opening starts with the text of the row.
function AddForm({ one, row, onClose, onDone }: AddFormProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const [text, setText] = useState(row.question ?? '');
  const [isChecked, setChecked] = useState(false);
  const add = useMutation({
    mutationFn: (body: DecideRowRequest) => decideRow(one.id, row.row, body),
    onSuccess: (next) => {
      onClose();
      onDone(next);
    },
  });
  const isSame = text.trim() === '' || text.trim() === row.question?.trim();

  return (
    <Form
      busy={add.isPending}
      submit={t('import.decide_row.save')}
      error={add.error ? errorText(add.error) : ''}
      onCancel={onClose}
      onSubmit={() => {
        setChecked(true);
        if (!isSame) add.mutate({ action: 'add', question: text.trim() });
      }}
    >
      <Textfield
        multiline
        rows={3}
        label={t('import.decide_row.text')}
        description={t('import.decide_row.text_hint')}
        maxLength={MAX_TEXT_LENGTH}
        error={isChecked && isSame && t('import.decide_row.same')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
  );
}

/** Shows an import after a decision; its row is no longer in the list. */
function useDecided(one: Import) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return (
    next: Import,
    what: 'updated' | 'would_update' | 'added' | 'would_add',
    { row }: ImportRow,
  ) => {
    notify(t(`import.decide_row.${what}`, { row: formatCount(row) }));
    queryClient.setQueryData(importKeys.one(one.id), next);
    void queryClient.invalidateQueries({ queryKey: importKeys.all });
    void queryClient.invalidateQueries({ queryKey: ['admin', 'import-rows', one.id] });
  };
}
