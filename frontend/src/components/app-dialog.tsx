import { Dialog } from '@digdir/designsystemet-react';
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './app-dialog.module.css';

type AppDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Also called for Escape. Left out, nothing closes the dialog. */
  onClose?: () => void;
  /** Whether there is a button to close it. */
  closable?: boolean;
};

/** Browsers that do not know `closedby` yet ask before they close a dialog. */
const UNCLOSABLE = {
  closedby: 'none',
  onCancel: (event: SyntheticEvent) => event.preventDefault(),
} as const;

/**
 * A modal dialog, labelled by its heading and described by the paragraphs directly below it, because the
 * focus skips them and goes to a field or button. Its content is mounted only while it is open.
 */
export function AppDialog({ open, title, children, onClose, closable = true }: AppDialogProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <Dialog
      open={open}
      {...(onClose ? { onClose } : UNCLOSABLE)}
      closeButton={closable && onClose ? t('actions.close') : false}
      aria-labelledby={titleId}
      className={styles.dialog}
    >
      {open && (
        <DialogContent id={titleId}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
        </DialogContent>
      )}
    </Dialog>
  );
}

function DialogContent({ id, children }: { id: string; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  // After every render, because the text may have changed.
  useLayoutEffect(() => {
    const texts = [...(content.current?.querySelectorAll(':scope > p') ?? [])];
    for (const [index, text] of texts.entries()) text.id ||= `${id}-${index}`;
    const described = texts.map((text) => text.id).join(' ');
    const dialog = content.current?.closest('dialog');
    if (described) dialog?.setAttribute('aria-describedby', described);
    else dialog?.removeAttribute('aria-describedby');
  });
  return (
    <div ref={content} className={styles.content}>
      {children}
    </div>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
