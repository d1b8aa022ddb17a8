import { Tag } from '@digdir/designsystemet-react';
import type { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import { portalHomeQuery } from './api.ts';
import styles from './portal-home.module.css';

/** The first page of the portal: what waits, the last import, and today's learners and payments. */
export function PortalHomeScreen() {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(portalHomeQuery);
  const number = (count: number) => formatCount(count, i18n.language);
  return (
    <AdminScreen title={t('home.title')} lead={t('home.lead')}>
      {found.isPending && <SkeletonLines label={t('home.loading')} lines={6} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('home.failed', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && (
        <>
          <Waiting home={found.data} />
          {found.data.learners && (
            <section className={styles.section} aria-labelledby="home-today">
              <h2 id="home-today">{t('home.today.title')}</h2>
              <StatTiles
                tiles={[
                  {
                    label: t('home.today.registered'),
                    value: number(found.data.learners.registered_today),
                  },
                  {
                    label: t('home.today.practised'),
                    value: number(found.data.learners.practised_today),
                  },
                  {
                    label: t('home.today.quizzes'),
                    value: number(found.data.learners.quizzes_today),
                  },
                  {
                    label: t('home.today.payments'),
                    value: number(found.data.learners.payments_today),
                  },
                  {
                    label: t('home.today.paid'),
                    value: formatKroner(found.data.learners.paid_today / 100, i18n.language),
                  },
                ]}
              />
            </section>
          )}
          {found.data.questions && <LastImport last={found.data.questions.last_import} />}
        </>
      )}
    </AdminScreen>
  );
}

/** What waits for the user, each with a link to where it is done. */
function Waiting({ home: { questions, learners, operations } }: { home: PortalHomeResponse }) {
  const { t } = useTranslation('admin');
  const items: { key: string; count: number; link: ReactNode }[] = [];
  if (questions) {
    items.push(
      {
        key: 'pending',
        count: questions.pending,
        link: (
          <Link
            to="/admin/dashboard/questions"
            className="ds-link"
            search={{ validation: 'pending' }}
          >
            {t('home.waiting.pending')}
          </Link>
        ),
      },
      {
        key: 'reported',
        count: questions.reported,
        link: (
          <Link to="/admin/dashboard/feedback" className="ds-link">
            {t('home.waiting.reported')}
          </Link>
        ),
      },
      {
        key: 'stale',
        count: questions.stale,
        link: (
          <Link to="/admin/dashboard/quality" className="ds-link">
            {t('home.waiting.stale')}
          </Link>
        ),
      },
    );
  }
  if (learners) {
    items.push(
      {
        key: 'payments',
        count: learners.payments_waiting,
        link: (
          <Link to="/admin/dashboard/payments" className="ds-link" search={{ attention: true }}>
            {t('home.waiting.payments')}
          </Link>
        ),
      },
      {
        key: 'disputes',
        count: learners.disputes,
        link: (
          <Link to="/admin/dashboard/payments" className="ds-link" search={{ attention: true }}>
            {t('home.waiting.disputes')}
          </Link>
        ),
      },
    );
  }
  if (operations) {
    items.push(
      {
        key: 'events',
        count: operations.rejected_events,
        link: (
          <Link to="/admin/dashboard/operations" className="ds-link">
            {t('home.waiting.events')}
          </Link>
        ),
      },
      {
        key: 'mails',
        count: operations.mails_refused,
        link: (
          <Link to="/admin/dashboard/operations" className="ds-link">
            {t('home.waiting.mails')}
          </Link>
        ),
      },
    );
  }
  const isTroubled = operations !== null && operations.level !== 'ok';
  const waiting = items.filter(({ count }) => count > 0);
  return (
    <section className={styles.section} aria-labelledby="home-waiting">
      <h2 id="home-waiting">{t('home.waiting.title')}</h2>
      {isTroubled && (
        <p>
          <Tag data-color={operations.level === 'warning' ? 'warning' : 'danger'}>
            {t(`operations.level.${operations.level ?? 'fault'}`)}
          </Tag>{' '}
          <Link to="/admin/dashboard/operations" className="ds-link">
            {t(operations.level === null ? 'home.no_status' : 'home.troubled')}
          </Link>
        </p>
      )}
      {waiting.length === 0 ? (
        <EmptyState title={t('home.waiting.none')} />
      ) : (
        <ul className={styles.waiting}>
          {waiting.map(({ key, count, link }) => (
            <Item key={key} count={count}>
              {link}
            </Item>
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ count, children }: { count: number; children: ReactNode }) {
  const { i18n } = useTranslation('admin');
  return (
    <li>
      <strong>{formatCount(count, i18n.language)}</strong>
      {children}
    </li>
  );
}

/** The states of an import whose rows are in the bank, or may still get there. */
const WITH_ROWS = new Set(['receiving', 'paused', 'processing', 'checked', 'completed']);

type LastImportProps = { last: NonNullable<PortalHomeResponse['questions']>['last_import'] };

function LastImport({ last }: LastImportProps) {
  const { t, i18n } = useTranslation('admin');
  return (
    <section className={styles.section} aria-labelledby="home-import">
      <h2 id="home-import">{t('home.import.title')}</h2>
      {last === null ? (
        <p className="muted">{t('home.import.none')}</p>
      ) : (
        <p>
          <Link to="/admin/dashboard/imports/$id" params={{ id: last.id }} className="ds-link">
            {last.file_name ?? t('import.no_name')}
          </Link>{' '}
          · {formatShortDateTime(last.created_at, i18n.language)} ·{' '}
          {/* A newer worker may have a state that this page does not know. */}
          {i18n.exists(`import.state.${last.state}`, { ns: 'admin' })
            ? t(`import.state.${last.state as 'completed'}`)
            : last.state}{' '}
          {WITH_ROWS.has(last.state) && (
            <>
              {' '}
              ·{' '}
              {t(last.dry_run ? 'home.import.trial' : 'home.import.counts', {
                imported: formatCount(last.imported, i18n.language),
                rejected: formatCount(last.rejected, i18n.language),
              })}
            </>
          )}
        </p>
      )}
    </section>
  );
}
