import { Button } from '@digdir/designsystemet-react';
import type { BankTopicsResponse } from '@proveklar/contract/questions.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { AppDialog } from '#components/app-dialog.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { languageName } from '#lib/question-language.ts';
import { bankTopicsQuery } from './api.ts';
import { useBulkChange } from './bulk-bar.tsx';
import { TopicForm } from './topic-dialog.tsx';

type BankTopic = BankTopicsResponse['topics'][number];

/** Opens the list of topics, where each can be renamed, or merged into another. */
export function TopicsButton() {
  const { t } = useTranslation('admin');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" data-size="sm" onClick={() => setOpen(true)}>
        {t('questions.topics.title')}
      </Button>
      <AppDialog open={isOpen} title={t('questions.topics.title')} onClose={() => setOpen(false)}>
        <Topics onClose={() => setOpen(false)} />
      </AppDialog>
    </>
  );
}

function Topics({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const found = useQuery(bankTopicsQuery);
  const [renamed, setRenamed] = useState<BankTopic>();
  const number = (count: number) => formatCount(count, i18n.language);
  const columns: Column<BankTopic>[] = [
    {
      key: 'topic',
      header: t('questions.column.topic'),
      primary: true,
      render: ({ topic, language }) => (
        <Link
          to="/admin/dashboard/questions"
          search={{ topic, language }}
          className="ds-link"
          onClick={onClose}
        >
          {topic}
        </Link>
      ),
    },
    {
      key: 'language',
      header: t('questions.column.language'),
      render: ({ language }) => languageName(language, i18n.language),
    },
    {
      key: 'questions',
      header: t('questions.topics.questions'),
      align: 'end',
      render: ({ questions }) => number(questions),
    },
    {
      key: 'pending',
      header: t('questions.topics.pending'),
      align: 'end',
      render: ({ pending }) => number(pending),
    },
    {
      key: 'rename',
      header: t('questions.column.actions'),
      bare: true,
      render: (topic) => (
        <Button
          data-size="sm"
          variant="tertiary"
          aria-label={t('questions.topics.rename_which', { topic: topic.topic })}
          onClick={() => setRenamed(topic)}
        >
          {t('questions.topics.rename')}
        </Button>
      ),
    },
  ];
  if (renamed) {
    return (
      <Rename topic={renamed} topics={found.data ?? []} onClose={() => setRenamed(undefined)} />
    );
  }
  return (
    <>
      <p>{t('questions.topics.text')}</p>
      {found.isPending && <SkeletonLines label={t('questions.topics.loading')} lines={5} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('questions.failed.topics', { reason: errorText(found.error) })}
        </RetryAlert>
      )}
      {found.data?.length === 0 && <p className="muted">{t('questions.topics.none')}</p>}
      {found.data && found.data.length > 0 && (
        <DataTable
          caption={t('questions.topics.title')}
          columns={columns}
          rows={found.data}
          rowKey={({ topic, language }) => `${language} ${topic}`}
        />
      )}
    </>
  );
}

type RenameProps = { topic: BankTopic; topics: BankTopic[]; onClose: () => void };

/** Renames a topic in one language. Under the name of another topic, the two are merged. */
function Rename({ topic: { topic, language, questions }, topics, onClose }: RenameProps) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const change = useBulkChange(onClose);
  const [typed, setTyped] = useState(topic);
  const target = topics.find(
    (one) => one.language === language && one.topic === typed.trim() && one.topic !== topic,
  );
  const n = formatCount(questions, i18n.language);
  return (
    <>
      <p>
        {target
          ? t('questions.topics.merge_text', { topic, target: target.topic, count: questions, n })
          : t('questions.topics.rename_text', { topic, count: questions, n })}
      </p>
      <TopicForm
        topic={topic}
        busy={change.isPending}
        error={
          change.isError ? t('questions.failed.topic', { reason: errorText(change.error) }) : ''
        }
        submit={t(target ? 'questions.topics.merge' : 'questions.topics.rename')}
        onTyped={setTyped}
        onSave={(next) =>
          change.mutate({
            action: 'retopic',
            topic: next,
            selection: { filter: { topic, language, state: 'all' } },
          })
        }
        onClose={onClose}
      />
    </>
  );
}
