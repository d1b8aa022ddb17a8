import type { ExamProfile } from '@proveklar/contract/settings.ts';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { ExamForm } from './exam-form.tsx';

type ExamDialogProps = { profile: ExamProfile | undefined; onClose: () => void };

export function ExamDialog({ profile, onClose }: ExamDialogProps) {
  const { t } = useTranslation('admin');
  const name = profile ? t(`settings.exams.names.${profile.name}`) : '';
  return (
    <AppDialog
      open={profile !== undefined}
      title={t('settings.exams.edit_which', { name })}
      onClose={onClose}
    >
      {profile && <ExamForm profile={profile} onDone={onClose} />}
    </AppDialog>
  );
}
