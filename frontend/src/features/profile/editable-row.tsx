import { Button } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, type FormProps } from '#components/form.tsx';
import styles from './profile.module.css';

type EditableRowProps = {
  label: string;
  /** The current value. */
  value: ReactNode;
  /** The result of the last change, which is announced. */
  news?: ReactNode;
  editing?: boolean;
  /** Left out if it cannot be changed. */
  onEdit?: (() => void) | undefined;
  /** The form, while editing. */
  children?: ReactNode;
};

/** A value of the profile with a button to change it. The form opens below. */
export function EditableRow(props: EditableRowProps) {
  const { label, value, news, editing = false, onEdit, children } = props;
  const { t } = useTranslation('learner');
  const row = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  // Moves the focus into the form, and back to the button afterwards.
  useEffect(() => {
    if (editing) row.current?.querySelector('input')?.focus();
    else if (wasEditing.current) row.current?.querySelector('button')?.focus();
    wasEditing.current = editing;
  }, [editing]);

  return (
    <div ref={row} className={styles.row}>
      <div className={styles.head}>
        <h3>{label}</h3>
        <div className={styles.value}>{value}</div>
        {onEdit && !editing && (
          <Button
            variant="tertiary"
            data-size="sm"
            className={styles.edit}
            aria-label={t('profile.edit_what', { what: label })}
            onClick={onEdit}
          >
            {t('profile.edit')}
          </Button>
        )}
      </div>
      <div role="status" className={styles.news}>
        {!editing && news}
      </div>
      {editing && children}
    </div>
  );
}

type RowFormProps = Pick<
  FormProps,
  'onSubmit' | 'busy' | 'error' | 'attempt' | 'faults' | 'children'
> & {
  submit: string;
  onCancel: () => void;
};

/** The form of a row, with its buttons in a row below. */
export function RowForm({ onCancel, ...form }: RowFormProps) {
  const { t } = useTranslation();
  return (
    <Form
      {...form}
      row={styles.actions}
      beside={
        <Button variant="tertiary" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
      }
    />
  );
}

/** Long enough to be read twice, slowly. */
const MESSAGE_MS = 20_000;

/** A state for a temporary message: after a while it is `nothing` again. */
export function usePassing<Value>(nothing: Value) {
  const [value, setValue] = useState(nothing);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function say(next: Value) {
    clearTimeout(timer.current);
    setValue(next);
    if (next !== nothing) timer.current = setTimeout(() => setValue(nothing), MESSAGE_MS);
  }

  return [value, say] as const;
}
