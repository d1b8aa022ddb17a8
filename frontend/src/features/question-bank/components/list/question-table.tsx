import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Checkbox } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatCount } from '#lib/format-compact.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import type { Selected } from '../../use-selection.ts';
import { DeleteDialog } from '../edit/delete-dialog.tsx';
import { QuestionTopicDialog } from '../edit/question-topic-dialog.tsx';
import { StatusTag } from '../status-tag.tsx';
import { RowActions } from './row-actions.tsx';
import styles from './question-table.module.css';

type QuestionTableProps = { questions: BankQuestion[]; selected: Selected; busy: boolean };
type Asked = { what: 'delete' | 'topic'; question: BankQuestion };

export function QuestionTable({ questions, selected, busy }: QuestionTableProps) {
  const { t, i18n } = useTranslation('admin');
  const [asked, setAsked] = useState<Asked>();
  const number = (count: number) => formatCount(count, i18n.language);
  const close = () => setAsked(undefined);
  const columns: Column<BankQuestion>[] = [
    {
      key: 'chosen',
      header: t('questions.column.chosen'),
      bare: true,
      head: <span className="ds-sr-only">{t('questions.column.chosen')}</span>,
      render: (question) => (
        <Checkbox
          aria-label={t('questions.choose', { id: question.id })}
          checked={selected.has(question.id)}
          onChange={({ currentTarget }) =>
            selected.toggle([question], currentTarget.checked, questions)
          }
        />
      ),
    },
    {
      key: 'question',
      header: t('questions.column.question'),
      primary: true,
      render: ({ id, question, language }) => (
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          className={`ds-link ${styles.question}`}
          {...textIn(language)}
        >
          {question}
        </Link>
      ),
    },
    {
      key: 'topic',
      header: t('questions.column.topic'),
      render: ({ topic }) => <span className="clamped">{topic}</span>,
    },
    {
      key: 'language',
      header: t('questions.column.language'),
      render: ({ language }) => languageName(language, i18n.language),
    },
    {
      key: 'status',
      header: t('questions.column.status'),
      render: (question) => <StatusTag question={question} />,
    },
    {
      key: 'selected',
      header: t('questions.column.selected'),
      align: 'end',
      render: ({ times_selected }) => number(times_selected),
    },
    {
      key: 'correct',
      header: t('questions.column.correct'),
      align: 'end',
      render: ({ correct_percent }) => (
        <span className={styles.figure}>
          {correct_percent === null ? '–' : `${number(correct_percent)} %`}
        </span>
      ),
    },
    {
      key: 'reports',
      header: t('questions.column.reports'),
      align: 'end',
      render: ({ times_reported }) => number(times_reported),
    },
    {
      key: 'actions',
      header: t('questions.column.actions'),
      bare: true,
      render: (question) => (
        <RowActions question={question} onAsk={(what) => setAsked({ what, question })} />
      ),
    },
  ];
  return (
    <>
      <DataTable
        caption={t('questions.list')}
        columns={columns}
        rows={questions}
        rowKey={({ id }) => id}
        busy={busy}
      />
      <DeleteDialog
        question={asked?.what === 'delete' ? asked.question : undefined}
        onClose={close}
      />
      <QuestionTopicDialog
        question={asked?.what === 'topic' ? asked.question : undefined}
        onClose={close}
      />
    </>
  );
}
