import { Button } from '@digdir/designsystemet-react';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';

/** Asks before unsaved changes are left. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation('admin');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AppDialog
      open={blocker.status === 'blocked'}
      title={t('questions.leave.title')}
      onClose={() => blocker.reset?.()}
    >
      <p>{t('questions.leave.text')}</p>
      <DialogActions>
        <Button onClick={() => blocker.reset?.()}>{t('questions.leave.stay')}</Button>
        <Button variant="secondary" data-color="danger" onClick={() => blocker.proceed?.()}>
          {t('questions.leave.go')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
