// Over 400 lines: one page, which reads from top to bottom.

import { Alert, Button, Tag } from '@digdir/designsystemet-react';
import type {
  Level,
  OperationsResponse,
  ProcessStatus,
  QueuePause,
  QueueStatus,
  ServiceStatus,
  StatusPart,
} from '@proveklar/contract/operations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { operationsKeys, operationsQuery, pauseQueue } from './api.ts';
import styles from './operations.module.css';
import { RejectedEvents } from './rejected-events.tsx';

/** For operators: whether the service works, its queues, rejected events and backups. */
export function OperationsScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(operationsQuery);
  return (
    <AdminScreen title={t('operations.title')} lead={t('operations.lead')}>
      {found.isPending && <SkeletonLines label={t('operations.loading')} lines={8} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('operations.failed', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && (
        <>
          {found.data.status ? (
            <Status
              status={found.data.status}
              pauses={found.data.pauses}
              readAt={found.dataUpdatedAt}
            />
          ) : (
            <EmptyState title={t('operations.none')}>
              <p>{t('operations.none_text')}</p>
            </EmptyState>
          )}
          <RejectedEvents />
          <Backups backups={found.data.backups} restoreTest={found.data.restore_test} />
        </>
      )}
    </AdminScreen>
  );
}

/** A worker writes the status every ten seconds. */
const STALE_MS = 60_000;
const COLORS = { ok: 'success', warning: 'warning', fault: 'danger' } as const;

function LevelTag({ level }: { level: Level | 'unknown' }) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-size="sm" data-color={level === 'unknown' ? 'neutral' : COLORS[level]}>
      {t(`operations.level.${level}`)}
    </Tag>
  );
}

type StatusProps = {
  status: ServiceStatus;
  pauses: QueuePause[];
  /** When the page read it, in milliseconds since 1970. */
  readAt: number;
};

function Status({ status, pauses, readAt }: StatusProps) {
  const { t, i18n } = useTranslation('admin');
  const { level, at, parts, queues, processes, backend } = status;
  const time = formatShortDateTime(at, i18n.language);
  const isStale = readAt - Date.parse(at) > STALE_MS;
  return (
    <>
      {isStale ? (
        <Alert data-color="danger" data-size="sm" role="alert">
          {t('operations.stale', { time })}
        </Alert>
      ) : (
        <Alert data-color={COLORS[level]} data-size="sm" role="status">
          <strong>{t(`operations.verdict.${level}`)}</strong>
          {' · '}
          {t('operations.checked', { time })}
        </Alert>
      )}
      <section className={styles.section} aria-labelledby="operations-parts">
        <h2 id="operations-parts">{t('operations.parts')}</h2>
        <ul className={styles.parts}>
          {parts.map((part) => (
            <Part key={part.id} part={part} />
          ))}
        </ul>
      </section>
      <section className={styles.section} aria-labelledby="operations-queues">
        <h2 id="operations-queues">{t('operations.queues')}</h2>
        <p className="muted">
          {t('operations.queues_on', { backend: backend === 'redis' ? 'Redis' : 'PostgreSQL' })}
        </p>
        <Queues queues={queues} pauses={pauses} />
      </section>
      <section className={styles.section} aria-labelledby="operations-processes">
        <h2 id="operations-processes">{t('operations.processes')}</h2>
        {parts.some(({ id, figure }) => id === 'processes' && figure === null) ? (
          <p className="muted">{t('operations.processes_unread')}</p>
        ) : (
          <Processes processes={processes} />
        )}
      </section>
    </>
  );
}

function Part({ part }: { part: StatusPart }) {
  const { t, i18n } = useTranslation('admin');
  const { id, name, level, figure, figure_of: figureOf, findings, since } = part;
  // A newer worker may have a part that this page does not know.
  const known = i18n.exists(`operations.part.${id}`, { ns: 'admin' });
  return (
    <li className={styles.part}>
      <h3>
        {known ? t(`operations.part.${id as 'queues'}`) : <span lang="en">{name}</span>}
        <LevelTag level={level} />
      </h3>
      <p>
        <strong>{figure === null ? '–' : formatCount(figure, i18n.language)}</strong>{' '}
        {known ? t(`operations.figure.${id as 'queues'}`) : <span lang="en">{figureOf}</span>}
      </p>
      <ul>
        {findings.map((finding) => (
          <li key={finding.found}>
            <Finding finding={finding} hasAdvice={level !== 'ok'} />
          </li>
        ))}
      </ul>
      {since && level !== 'ok' && (
        <p className="muted">
          {t('operations.since', { time: formatShortDateTime(since, i18n.language) })}
        </p>
      )}
    </li>
  );
}

/** "40 s", "12 min", "3 t", "5 dager"; "–" for what is not known. */
function useAge() {
  const { t, i18n } = useTranslation('admin');
  return (seconds: number | null): string => {
    if (seconds === null) return '–';
    const n = (by: number) => formatCount(Math.round(seconds / by), i18n.language);
    if (seconds < 120) return t('operations.age.seconds', { n: n(1) });
    if (seconds < 7_200) return t('operations.age.minutes', { n: n(60) });
    return seconds < 172_800
      ? t('operations.age.hours', { n: n(3_600) })
      : t('operations.age.days', { n: n(86_400) });
  };
}

type FindingProps = { finding: StatusPart['findings'][number]; hasAdvice: boolean };

/** What was found, and what to do. It has the names that an operator meets in the logs and the documents. */
function Finding({ finding, hasAdvice }: FindingProps) {
  const { t, i18n } = useTranslation('admin');
  const age = useAge();
  const { found, advice, code, values } = finding;
  const count = Number(values['count'] ?? 0);
  const texts = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    return name.endsWith('_s')
      ? [name.slice(0, -2), age(value)]
      : [name === 'count' ? 'n' : name, formatCount(value, i18n.language)];
  });
  const filled = { ...Object.fromEntries(texts), count };
  // A newer worker may find what this page does not know; then it is in English.
  const isKnown = (text: 'found' | 'advice') =>
    code !== null && i18n.exists(`operations.${text}.${code}`, { ns: 'admin', count });
  return (
    <>
      {isKnown('found') ? (
        t(`operations.found.${code as 'free'}`, filled)
      ) : (
        <span lang="en">{found}</span>
      )}
      {advice && hasAdvice && (
        <div className="muted">
          {isKnown('advice') ? (
            t(`operations.advice.${code as 'no_gateway'}`)
          ) : (
            <span lang="en">{advice}</span>
          )}
        </div>
      )}
    </>
  );
}

/** A queue that did not answer is not in order. */
const levelOf = ({ level, depth }: QueueStatus) =>
  level === 'ok' && depth === null ? 'unknown' : level;

type QueuesProps = { queues: QueueStatus[]; pauses: QueuePause[] };

function Queues({ queues, pauses }: QueuesProps) {
  const { t, i18n } = useTranslation('admin');
  const number = (count: number | null) =>
    count === null ? '–' : formatCount(count, i18n.language);
  const age = useAge();
  const pauseOf = ({ name }: QueueStatus) => pauses.find(({ queue }) => queue === name);
  // The status may be ten seconds old; the decision is not.
  const isPaused = (queue: QueueStatus) => pauseOf(queue)?.paused ?? queue.paused;
  const columns: Column<QueueStatus>[] = [
    {
      key: 'name',
      header: t('operations.queue.name'),
      primary: true,
      render: ({ name }) => name,
    },
    {
      key: 'level',
      header: t('operations.queue.level'),
      render: (queue) => (
        <>
          {/* A paused queue is not in order; the next status says so. */}
          {(queue.level !== 'ok' || !isPaused(queue)) && <LevelTag level={levelOf(queue)} />}{' '}
          {isPaused(queue) && <PausedTag pause={pauseOf(queue)} />}
        </>
      ),
    },
    {
      key: 'depth',
      header: t('operations.queue.depth'),
      align: 'end',
      render: ({ depth }) => number(depth),
    },
    {
      key: 'failed',
      header: t('operations.queue.failed'),
      align: 'end',
      render: ({ failed }) => number(failed),
    },
    {
      key: 'rejected',
      header: t('operations.queue.rejected'),
      align: 'end',
      render: ({ rejected }) => number(rejected),
    },
    {
      key: 'oldest',
      header: t('operations.queue.oldest'),
      align: 'end',
      render: ({ oldest_seconds: seconds }) => age(seconds),
    },
    {
      key: 'actions',
      header: t('operations.queue.actions'),
      bare: true,
      render: (queue) => <PauseButton queue={queue.name} paused={isPaused(queue)} />,
    },
  ];
  return (
    <DataTable
      caption={t('operations.queues')}
      columns={columns}
      rows={queues}
      rowKey={({ name }) => name}
    />
  );
}

/** Since when and by whom, where it was decided by this version. */
function PausedTag({ pause }: { pause: QueuePause | undefined }) {
  const { t, i18n } = useTranslation('admin');
  const { at, by } = pause ?? {};
  const time = at && formatShortDateTime(at, i18n.language);
  return (
    <>
      <Tag data-size="sm" data-color="warning">
        {t('operations.queue.paused')}
      </Tag>
      {time && (
        <div className="muted">
          {by
            ? t('operations.queue.since_by', { time, who: by })
            : t('operations.queue.since', { time })}
        </div>
      )}
    </>
  );
}

function PauseButton({ queue, paused }: { queue: string; paused: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  const action = paused ? 'resume' : 'pause';
  // A newer worker may have a queue that this page does not know.
  const waits = `operations.queue.waits.${queue}`;
  const known = i18n.exists(waits, { ns: 'admin' });

  function ask() {
    confirmAction({
      title: t(`operations.queue.${action}_title`, { queue }),
      body: (
        <>
          {action === 'pause' && known && <p>{t(waits as 'operations.queue.waits.mail')}</p>}
          <p>{t(`operations.queue.${action}_text`)}</p>
        </>
      ),
      action: t(`operations.queue.${action}`),
      tone: 'primary',
      run: () => pauseQueue(queue, { paused: !paused }),
      onDone: () => {
        notify(t(`operations.queue.${action}_done`, { queue }));
        return queryClient.invalidateQueries({ queryKey: operationsKeys.status });
      },
      describeError: (reason) => t(`operations.queue.${action}_failed`, { reason }),
    });
  }

  return (
    <Button
      data-size="sm"
      variant="secondary"
      aria-label={t(`operations.queue.${action}_which`, { queue })}
      onClick={ask}
    >
      {t(`operations.queue.${action}`)}
    </Button>
  );
}

function Processes({ processes }: { processes: ProcessStatus[] }) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<ProcessStatus>[] = [
    {
      key: 'name',
      header: t('operations.process.name'),
      primary: true,
      render: ({ kind, host }) => (
        <>
          {kind} <span className="muted">{host}</span>
        </>
      ),
    },
    {
      key: 'state',
      header: t('operations.process.state'),
      render: ({ live }) => (
        <Tag data-size="sm" data-color={live ? 'success' : 'warning'}>
          {t(live ? 'operations.process.live' : 'operations.process.silent')}
        </Tag>
      ),
    },
    {
      key: 'version',
      header: t('operations.process.version'),
      render: ({ version }) => version,
    },
    {
      key: 'started',
      header: t('operations.process.started'),
      render: ({ started_at: at }) => formatShortDateTime(at, i18n.language),
    },
  ];
  if (processes.length === 0) return <p className="muted">{t('operations.processes_none')}</p>;
  return (
    <DataTable
      caption={t('operations.processes')}
      columns={columns}
      rows={processes}
      rowKey={({ kind, host, started_at: at }) => `${kind} ${host} ${at}`}
    />
  );
}

type BackupsProps = {
  backups: OperationsResponse['backups'];
  restoreTest: OperationsResponse['restore_test'];
};

function Backups({ backups, restoreTest }: BackupsProps) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<BackupsProps['backups'][number]>[] = [
    {
      key: 'started',
      header: t('operations.backup.started'),
      primary: true,
      render: ({ started_at: at }) => formatShortDateTime(at, i18n.language),
    },
    {
      key: 'ended',
      header: t('operations.backup.ended'),
      render: ({ ended_at: at }) => formatShortDateTime(at, i18n.language),
    },
    {
      key: 'size',
      header: t('operations.backup.size'),
      align: 'end',
      render: ({ bytes }) => `${formatCount(Math.round(bytes / 1e5) / 10, i18n.language)} MB`,
    },
    {
      key: 'sent',
      header: t('operations.backup.sent'),
      render: ({ sent_at: at }) =>
        at ? formatShortDateTime(at, i18n.language) : t('operations.backup.not_sent'),
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="operations-backups">
      <h2 id="operations-backups">{t('operations.backups')}</h2>
      {restoreTest && (
        <p className="muted">
          {t('operations.restore_test', {
            backup: formatShortDateTime(restoreTest.backup_started_at, i18n.language),
            time: formatShortDateTime(restoreTest.tested_at, i18n.language),
            rows: formatCount(restoreTest.rows, i18n.language),
          })}
        </p>
      )}
      {backups.length === 0 ? (
        <p className="muted">{t('operations.backups_none')}</p>
      ) : (
        <DataTable
          caption={t('operations.backups')}
          columns={columns}
          rows={backups}
          rowKey={({ started_at: at }) => at}
        />
      )}
    </section>
  );
}
