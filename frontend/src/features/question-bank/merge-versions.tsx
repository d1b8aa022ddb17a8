import { Alert, Button, Fieldset, Radio } from '@digdir/designsystemet-react';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { Cluster, Stack } from '#components/layout.tsx';
import { FieldDiff } from './content-diff.tsx';
import { compareDrafts, type Draft, mergeDrafts, toDraft } from './draft.ts';
import styles from './content-diff.module.css';
import type { Edit } from './use-edit.ts';

/**
 * Another editor saved the question meanwhile. What only one of both changed is taken from that one; where both
 * changed the same field, this editor chooses. Nothing is saved before the form is.
 */
export function MergeVersions({ edit, newer }: { edit: Edit; newer: BankQuestion }) {
  const { t } = useTranslation('admin');
  const [chosen, setChosen] = useState<Partial<Record<keyof Draft, 'mine' | 'theirs'>>>({});
  const theirs = toDraft(newer);
  const { theirs: taken, both } = compareDrafts(edit.stored, edit.draft, theirs);
  const open = both.filter((field) => chosen[field] === undefined);

  function merge() {
    const fromThem = [...taken, ...both.filter((field) => chosen[field] === 'theirs')];
    edit.rebase(newer, mergeDrafts(edit.draft, theirs, fromThem));
  }
  function askToDiscard() {
    confirmAction({
      title: t('questions.conflict.discard_title'),
      body: <p>{t('questions.conflict.discard_text')}</p>,
      action: t('questions.conflict.take'),
      run: async () => edit.discard(newer),
    });
  }

  return (
    <Alert data-color="warning" data-size="sm" role="alert">
      <Stack gap={3}>
        <h3>{t('questions.conflict.title')}</h3>
        <p>{t('questions.conflict.text')}</p>
        {taken.length > 0 && (
          <div>
            <p>{t('questions.conflict.taken')}</p>
            <dl className={styles.diff}>
              {taken.map((field) => (
                <FieldDiff key={field} field={field} before={edit.stored} after={theirs} />
              ))}
            </dl>
          </div>
        )}
        {both.map((field) => (
          <FieldChoice
            key={field}
            field={field}
            edit={edit}
            theirs={theirs}
            value={chosen[field]}
            onChange={(value) => setChosen({ ...chosen, [field]: value })}
          />
        ))}
        <Cluster gap={3} align="center">
          <Button
            type="button"
            data-size="sm"
            aria-disabled={open.length > 0 || undefined}
            onClick={() => open.length === 0 && merge()}
          >
            {t('questions.conflict.merge')}
          </Button>
          <Button type="button" data-size="sm" variant="secondary" onClick={askToDiscard}>
            {t('questions.conflict.take')}
          </Button>
          <span role="status" className="muted">
            {open.length > 0 && t('questions.conflict.open', { count: open.length })}
          </span>
        </Cluster>
      </Stack>
    </Alert>
  );
}

type FieldChoiceProps = {
  field: keyof Draft;
  edit: Edit;
  theirs: Draft;
  value: 'mine' | 'theirs' | undefined;
  onChange: (value: 'mine' | 'theirs') => void;
};

/** A field that both have changed: each change compared with what stood there. */
function FieldChoice({ field, edit, theirs, value, onChange }: FieldChoiceProps) {
  const { t } = useTranslation('admin');
  const name = useId();
  return (
    <Fieldset>
      <Fieldset.Legend>
        {t('questions.conflict.both', { field: t(`questions.field.${field}`) })}
      </Fieldset.Legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <div key={side}>
          <Radio
            name={name}
            value={side}
            label={t(`questions.conflict.${side}`)}
            checked={value === side}
            onChange={() => onChange(side)}
          />
          <dl className={styles.diff}>
            <FieldDiff
              field={field}
              before={edit.stored}
              after={side === 'mine' ? edit.draft : theirs}
            />
          </dl>
        </div>
      ))}
    </Fieldset>
  );
}
