import type { FeedbackItem } from '@proveklar/contract/feedback.ts';
import { ThumbDownIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { shorten } from '../shorten.ts';
import styles from './feedback.module.css';
import { StateTag } from './state-tag.tsx';
import { useReasonText } from './use-reason-text.ts';

/** The specified columns, and what the learner added. */
export function ReportTable({ feedback, busy }: { feedback: FeedbackItem[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const reasonText = useReasonText();
  const columns: Column<FeedbackItem>[] = [
    {
      key: 'date',
      header: t('feedback.column.date'),
      render: ({ created_at: at }) => (
        <time className={styles.date} dateTime={at}>
          {formatShortDateTime(at, i18n.language)}
        </time>
      ),
    },
    {
      key: 'user',
      header: t('feedback.column.user'),
      render: (item) => <span className={styles.user}>{item.user_email}</span>,
    },
    {
      key: 'test',
      header: t('feedback.column.test'),
      render: (item) => <span className={styles.id}>{item.quiz_id}</span>,
    },
    {
      key: 'topic',
      header: t('feedback.column.topic'),
      render: (item) => <span className="clamped">{item.topic}</span>,
    },
    {
      key: 'question',
      header: t('feedback.column.question'),
      primary: true,
      render: ({ question }) => <span title={question}>{shorten(question)}</span>,
    },
    {
      key: 'type',
      header: t('feedback.column.type'),
      render: ({ reason, comment }) => (
        <div className={styles.type}>
          <span>
            <ThumbDownIcon aria-hidden /> {t('feedback.thumbs_down')}
          </span>
          {reason && <span>{reasonText(reason)}</span>}
          {comment && <q>{comment}</q>}
        </div>
      ),
    },
    {
      key: 'status',
      header: t('feedback.column.status'),
      render: ({ state }) => <StateTag state={state} />,
    },
  ];
  return (
    <DataTable
      caption={t('feedback.one_by_one')}
      columns={columns}
      rows={feedback}
      rowKey={({ id }) => id}
      busy={busy}
    />
  );
}
