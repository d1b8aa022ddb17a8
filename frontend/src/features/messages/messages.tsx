import { Tag } from '@digdir/designsystemet-react';
import { PlusIcon } from '@navikt/aksel-icons';
import type { Message, MessageTexts } from '@proveklar/contract/messages.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Cluster } from '#components/layout.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { useShowMore } from '#lib/use-focus.ts';
import { messagesQuery } from './api.ts';
import styles from './messages.module.css';

/** The messages that were written to learners, with what came of them. */
export function MessagesScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useInfiniteQuery(messagesQuery);
  const { list, showMore } = useShowMore<HTMLDivElement>(found.fetchNextPage);
  const messages = found.data?.pages.flatMap((page) => page.messages) ?? [];
  const write = (
    <ButtonLink to="/admin/dashboard/messages/new" data-size="sm">
      <PlusIcon aria-hidden />
      {t('messages.write')}
    </ButtonLink>
  );
  return (
    <AdminScreen title={t('messages.title')} lead={t('messages.lead')} actions={write}>
      {found.isPending && <SkeletonLines label={t('messages.loading')} lines={6} />}
      {messages.length > 0 && (
        <div ref={list}>
          <MessageTable messages={messages} />
        </div>
      )}
      {found.isSuccess && messages.length === 0 && (
        <EmptyState title={t('messages.none')}>
          <p>{t('messages.none_text')}</p>
        </EmptyState>
      )}
      {found.isError && (
        <RetryAlert
          busy={found.isFetching}
          onRetry={found.isFetchNextPageError ? showMore : () => void found.refetch()}
        >
          {t('messages.failed.fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.hasNextPage && !found.isError && (
        <Cluster gap={4} justify="center">
          <BusyButton variant="secondary" busy={found.isFetchingNextPage} onClick={showMore}>
            {t('messages.more')}
          </BusyButton>
        </Cluster>
      )}
    </AdminScreen>
  );
}

/** The subject line in the first language of a message. */
export const subjectOf = ({ no, en }: MessageTexts): string => (no ?? en)?.subject ?? '';

function MessageTable({ messages }: { messages: readonly Message[] }) {
  const { t, i18n } = useTranslation('admin');
  const number = (count: number) => formatCount(count, i18n.language);
  const columns: Column<Message>[] = [
    {
      key: 'subject',
      header: t('messages.field.subject'),
      primary: true,
      render: ({ id, texts }) => (
        <Link
          to="/admin/dashboard/messages/$id"
          params={{ id }}
          className="ds-link"
          lang={texts.no ? 'nb' : 'en'}
        >
          {subjectOf(texts)}
        </Link>
      ),
    },
    {
      key: 'kind',
      header: t('messages.field.kind'),
      render: ({ kind }) => t(`messages.kind.${kind}`),
    },
    {
      key: 'audience',
      header: t('messages.field.audience'),
      render: ({ audience }) => t(`messages.audience.${audience}`),
    },
    {
      key: 'state',
      header: t('messages.field.state'),
      render: ({ state }) => <StateTag state={state} />,
    },
    {
      key: 'sent',
      header: t('messages.count.sent'),
      align: 'end',
      render: ({ counts, total }) =>
        total === null
          ? '–'
          : t('messages.of_total', { n: number(counts.sent), total: number(total) }),
    },
    {
      key: 'written',
      header: t('messages.field.written'),
      render: ({ updated_at, started_at, created_by }) => (
        <span className={styles.written}>
          <time dateTime={started_at ?? updated_at}>
            {formatShortDateTime(started_at ?? updated_at, i18n.language)}
          </time>
          <small>{created_by}</small>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('messages.title')}
      columns={columns}
      rows={messages}
      rowKey={({ id }) => id}
    />
  );
}

const COLOURS = {
  draft: 'neutral',
  sending: 'info',
  stopped: 'warning',
  sent: 'success',
} as const satisfies Record<Message['state'], string>;

export function StateTag({ state }: Pick<Message, 'state'>) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-color={COLOURS[state]} data-size="sm">
      {t(`messages.state.${state}`)}
    </Tag>
  );
}
