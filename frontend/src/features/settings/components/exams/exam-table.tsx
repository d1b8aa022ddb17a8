import type { ExamProfile } from '@proveklar/contract/settings.ts';
import { Button, Tag } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatShortDate } from '#lib/format-compact.ts';
import { EXAM_NUMBERS, isOld, todayInNorway } from '../../exam-figures.ts';
import styles from './exams.module.css';

type ExamTableProps = { profiles: ExamProfile[]; onEdit: (profile: ExamProfile) => void };

export function ExamTable({ profiles, onEdit }: ExamTableProps) {
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
