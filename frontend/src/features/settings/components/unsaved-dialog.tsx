import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { getSession } from '#lib/session.ts';

/** Asks before somebody leaves what they have not saved, by a link, by Back or by closing the tab. */
export function UnsavedDialog({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation('admin');
  const leaving = useBlocker({
    // Whoever has signed out cannot stay.
    shouldBlockFn: () => unsaved && getSession().status === 'signed-in',
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      title={t('settings.leave.title')}
      action={t('settings.leave.action')}
      busy={false}
      onConfirm={() => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    >
      <p>{t('settings.leave.text')}</p>
    </ConfirmDialog>
  );
}
