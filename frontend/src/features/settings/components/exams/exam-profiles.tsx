import type { ExamProfile } from '@proveklar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { examProfilesQuery } from '../../api.ts';
import { LastChanged } from '../last-changed.tsx';
import section from '../section.module.css';
import { ExamForm } from './exam-form.tsx';
import { ExamTable } from './exam-table.tsx';

/** How the practice tests are put together, and where that is published. */
export function ExamProfiles() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const exams = useQuery(examProfilesQuery);
  const [editing, setEditing] = useState<ExamProfile>();
  const profiles = exams.data?.exam_profiles ?? [];
  const last = profiles.toSorted((a, b) =>
    (b.updated_at ?? '').localeCompare(a.updated_at ?? ''),
  )[0];
  return (
    <section className={section.section} aria-labelledby="exams-title">
      <div className={section.head}>
        <h2 id="exams-title">{t('settings.exams.title')}</h2>
        <p>{t('settings.exams.text')}</p>
      </div>
      {exams.isPending && <SkeletonLines label={t('settings.exams.loading')} lines={3} />}
      {exams.isError && (
        <RetryAlert busy={exams.isFetching} onRetry={() => void exams.refetch()}>
          {t('settings.exams.failed_fetch', { status: statusText(exams.error) })}
        </RetryAlert>
      )}
      {profiles.length > 0 && <ExamTable profiles={profiles} onEdit={setEditing} />}
      {last && (
        <LastChanged
          at={last.updated_at}
          by={last.updated_by}
          action="exam_profile.updated"
          never={t('settings.exams.never_changed')}
        />
      )}
      <ExamDialog profile={editing} onClose={() => setEditing(undefined)} />
    </section>
  );
}

type ExamDialogProps = { profile: ExamProfile | undefined; onClose: () => void };

function ExamDialog({ profile, onClose }: ExamDialogProps) {
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
