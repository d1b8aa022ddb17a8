import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import type { SettingsFormState } from '../use-settings-form.ts';

/** Asks before the price becomes 0: nobody pays any more from that moment. */
export function FreeServiceDialog({ form }: { form: SettingsFormState }) {
  const { t } = useTranslation('admin');
  return (
    <ConfirmDialog
      open={form.asking}
      title={t('settings.free.title')}
      action={t('settings.free.action')}
      busy={form.saving.isPending}
      onConfirm={form.confirm}
      onClose={form.cancel}
    >
      <p>{t('settings.free.everybody')}</p>
      <p>{t('settings.free.learners')}</p>
    </ConfirmDialog>
  );
}
