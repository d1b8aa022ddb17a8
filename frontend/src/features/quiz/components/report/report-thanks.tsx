import { Button } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogActions } from '#components/app-dialog.tsx';
import styles from './report.module.css';

export function ReportThanks({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['learner', 'translation']);
  const text = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone; with the focus the text is read aloud.
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} tabIndex={-1} className={styles.thanks}>
        {t('report.thanks_text')}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{t('translation:actions.close')}</Button>
      </DialogActions>
    </>
  );
}
