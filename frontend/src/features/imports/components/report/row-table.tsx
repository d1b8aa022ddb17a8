import type { ImportRow, RowFilter } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { languageInWords } from '#lib/question-language.ts';
import { formatCount } from '../../format-amounts.ts';
import styles from './row-table.module.css';

type RowTableProps = { rows: readonly ImportRow[]; outcome: RowFilter };

export function RowTable({ rows, outcome }: RowTableProps) {
  const { t } = useTranslation('admin');
  const columns: Column<ImportRow>[] = [
    {
      key: 'row',
      header: t('import.report.row'),
      primary: true,
      render: ({ row }) => t('import.report.row_number', { row: formatCount(row) }),
    },
    outcome === 'rejected' || outcome === 'warned'
      ? {
          key: 'faults',
          header: t('import.report.reason'),
          render: ({ faults, warnings }) => <Faults faults={faults} warnings={warnings} />,
        }
      : {
          key: 'question',
          header: t('import.report.question'),
          render: ({ question_id }) =>
            t(`import.report.${outcome}_text`, { id: question_id ?? '–' }),
        },
  ];
  return (
    <DataTable
      caption={t(`import.report.${outcome}`)}
      columns={columns}
      rows={rows}
      rowKey={({ row }) => row}
    />
  );
}

function Faults({ faults, warnings }: Pick<ImportRow, 'faults' | 'warnings'>) {
  const { t, i18n } = useTranslation('admin');
  return (
    <ul className={styles.faults}>
      {faults.map(({ field, reason }) => (
        <li key={`${field} ${reason}`}>
          {field && <code>{field}</code>} {t(`import.fault.${reason}`)}
        </li>
      ))}
      {warnings.map(({ field, reason, value }) => (
        <li key={`${field} ${reason}`}>
          <code>{field}</code>{' '}
          {t(`import.warning.${reason}`, { language: languageInWords(value, i18n.language) })}
        </li>
      ))}
    </ul>
  );
}
