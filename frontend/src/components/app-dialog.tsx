import { Dialog } from '@digdir/designsystemet-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './app-dialog.module.css';

type AppDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Also called for Escape. */
  onClose: () => void;
  closable?: boolean;
};

/** A modal dialog that is named by its heading. Its content exists only while it is open. */
export function AppDialog({ open, title, children, onClose, closable = true }: AppDialogProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      closeButton={closable ? t('actions.close') : false}
      aria-labelledby={titleId}
      className={styles.dialog}
    >
      {open && (
        <div className={styles.content}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </Dialog>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
