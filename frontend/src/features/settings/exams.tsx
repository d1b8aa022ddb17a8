import { Button, Tag, Textfield } from '@digdir/designsystemet-react';
import { MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import type { ExamProfile, ExamProfileRequest } from '@proveklar/contract/settings.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckedForm } from '#components/admin/checked-form.ts';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatShortDate } from '#lib/format-compact.ts';
import { examProfilesQuery, settingsKeys, updateExamProfile } from './api.ts';
import {
  EXAM_NUMBERS,
  type ExamField,
  examTexts,
  isOld,
  readExam,
  todayInNorway,
} from './exam-figures.ts';
import { LastChanged } from './last-changed.tsx';
import styles from './settings.module.css';

/** How the practice tests are put together, and where that is published. */
export function ExamProfiles() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const exams = useQuery(examProfilesQuery);
  const [editing, setEditing] = useState<ExamProfile>();
  const close = () => setEditing(undefined);
  const profiles = exams.data?.exam_profiles ?? [];
  const last = profiles.toSorted((a, b) =>
    (b.updated_at ?? '').localeCompare(a.updated_at ?? ''),
  )[0];
  return (
    <section className={styles.section} aria-labelledby="exams-title">
      <div className={styles.head}>
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
      <AppDialog
        open={editing !== undefined}
        title={t('settings.exams.edit_which', {
          name: editing ? t(`settings.exams.names.${editing.name}`) : '',
        })}
        onClose={close}
      >
        {editing && <ExamForm profile={editing} onDone={close} />}
      </AppDialog>
    </section>
  );
}

type ExamTableProps = { profiles: ExamProfile[]; onEdit: (profile: ExamProfile) => void };

function ExamTable({ profiles, onEdit }: ExamTableProps) {
  const { t } = useTranslation('admin');
  const columns: Column<ExamProfile>[] = [
    {
      key: 'name',
      header: t('settings.exams.name'),
      primary: true,
      render: ({ name }) => t(`settings.exams.names.${name}`),
    },
    ...EXAM_NUMBERS.map((field): Column<ExamProfile> => ({
      key: field,
      header: t(`settings.exams.column.${field}`),
      align: 'end',
      render: (profile) => profile[field],
    })),
    {
      key: 'source',
      header: t('settings.exams.column.source'),
      render: (profile) => <Source profile={profile} />,
    },
    {
      key: 'edit',
      header: t('settings.exams.actions'),
      bare: true,
      render: (profile) => (
        <Button
          variant="secondary"
          data-size="sm"
          aria-label={t('settings.exams.edit_which', {
            name: t(`settings.exams.names.${profile.name}`),
          })}
          onClick={() => onEdit(profile)}
        >
          {t('settings.exams.edit')}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('settings.exams.title')}
      columns={columns}
      rows={profiles}
      rowKey={({ name }) => name}
    />
  );
}

function Source({ profile: { source_url, checked_at } }: { profile: ExamProfile }) {
  const { t, i18n } = useTranslation('admin');
  return (
    <div className={styles.source}>
      <a href={source_url} target="_blank" rel="noreferrer" className="ds-link">
        {new URL(source_url).hostname}
      </a>
      <span className="muted">
        {t('settings.exams.checked', { date: formatShortDate(checked_at, i18n.language) })}
      </span>
      {isOld(checked_at, todayInNorway()) && (
        <Tag data-color="warning" data-size="sm">
          {t('settings.exams.check_again')}
        </Tag>
      )}
    </div>
  );
}

type ExamFormProps = { profile: ExamProfile; onDone: () => void };

/** The form for the numbers of a practice test, and their source. */
function ExamForm({ profile, onDone }: ExamFormProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [before] = useState(() => examTexts(profile));
  const saving = useMutation({
    mutationFn: (figures: ExamProfileRequest) => updateExamProfile(profile.name, figures),
    onSuccess: () => {
      notify(t('settings.exams.saved', { name: t(`settings.exams.names.${profile.name}`) }));
      onDone();
      return queryClient.invalidateQueries({ queryKey: settingsKeys.examProfiles });
    },
    onError: (error) => form.refuse(error),
  });
  const form = useCheckedForm({
    values: before,
    faultsOf: (texts) => readExam(texts, todayInNorway()).faults,
    onSubmit: (texts) => saving.mutate(readExam(texts, todayInNorway()).figures),
    onWrite: () => {
      if (saving.isError) saving.reset();
    },
  });
  const names = Object.keys(before) as ExamField[];
  const isFaulty = Object.keys(form.faults).length > 0;
  const reason = isFaulty ? t('settings.failed.fields') : saving.isError && errorText(saving.error);
  const field = (name: ExamField) => ({
    ...form.field(name),
    label: t(`settings.exams.field.${name}`),
    error: form.faults[name] && t(`settings.exams.fault.${name}`),
  });
  return (
    <Form
      className={styles.exam}
      busy={saving.isPending}
      resting={names.every((name) => form.fields[name] === before[name])}
      attempt={form.attempt}
      error={
        reason && (
          <>
            <strong>{t('settings.failed.update_title')}</strong>
            <p>{t('settings.exams.failed_update', { reason })}</p>
          </>
        )
      }
      submit={t('settings.save')}
      onSubmit={() => {
        saving.reset();
        form.submit();
      }}
      onCancel={onDone}
    >
      <p className="muted">{t('settings.exams.from_now_on')}</p>
      <div className={styles.numbers}>
        {EXAM_NUMBERS.map((name) => (
          <Textfield key={name} {...field(name)} inputMode="numeric" />
        ))}
      </div>
      <Textfield {...field('source_url')} type="url" maxLength={MAX_TEXT_LENGTH} />
      <Textfield {...field('checked_at')} type="date" max={todayInNorway()} />
    </Form>
  );
}
