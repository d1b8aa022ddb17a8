import { Button } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './editable-row.module.css';

type EditableRowProps = {
  label: string;
  /** What it is now. */
  value: ReactNode;
  /** What came of the last change, which is read aloud. */
  news?: ReactNode;
  editing?: boolean;
  /** Left out where nothing can be changed. */
  onEdit?: (() => void) | undefined;
  /** The form, while editing. */
  children?: ReactNode;
};

/** Something of the learner's, with the way to change it. The form opens below. */
export function EditableRow(props: EditableRowProps) {
  const { label, value, news, editing = false, onEdit, children } = props;
  const { t } = useTranslation('learner');
  const row = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  // The focus goes with it: into the form, and back to where one came from.
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
