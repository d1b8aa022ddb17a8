import { Tag } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import { MISTAKES, TODAY } from '@proveklar/contract/quiz-topics.ts';
import type { PersonResponse, User } from '@proveklar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner, formatPercent } from '#lib/format.ts';
import { personQuery } from './api.ts';
import { GrantDaysDialog } from './grant-days.tsx';
import { DisableUserDialog, UserActions } from './user-actions.tsx';
import { UserService } from './users.tsx';
import styles from './users.module.css';

type PersonScreenProps = {
  uid: string;
  /** What administrators did to the person, by the address; null for those who may not read the log. */
  log: ((email: string) => ReactNode) | null;
};

/** A person: days of access, quizzes, payments, mails and log, with the actions. */
export function PersonScreen({ uid, log }: PersonScreenProps) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(personQuery(uid));
  const { data: person, error } = found;
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <AdminScreen
      title={person ? person.user.email || t('users.no_email') : t('users.person.title')}
      lead={person?.user.display_name}
      actions={
        <>
          <ButtonLink to="/admin/dashboard/users" variant="tertiary" data-size="sm">
            <ArrowLeftIcon aria-hidden />
            {t('users.person.back')}
          </ButtonLink>
          {person && <PersonActions user={person.user} />}
        </>
      }
    >
      {found.isPending && <SkeletonLines label={t('users.person.loading')} lines={10} />}
      {isMissing && (
        <EmptyState title={t('users.person.missing')}>
          <p>{t('users.person.missing_text')}</p>
        </EmptyState>
      )}
      {found.isError && !isMissing && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('users.failed.fetch_one', { status: statusText(error) })}
        </RetryAlert>
      )}
      {person && !isMissing && (
        <div className={styles.page}>
          <Facts person={person} />
          <Access access={person.access} />
          <Quizzes quizzes={person.quizzes} />
          <Payments payments={person.payments} />
          <Mails mails={person.mails} />
          {log && person.user.email && (
            <Part title={t('users.person.log')}>{log(person.user.email)}</Part>
          )}
        </div>
      )}
    </AdminScreen>
  );
}

function PersonActions({ user }: { user: User }) {
  const navigate = useNavigate();
  const [granting, setGranting] = useState(false);
  const [disabling, setDisabling] = useState(false);
  return (
    <>
      <UserActions
        user={user}
        onGrant={() => setGranting(true)}
        onDisable={() => setDisabling(true)}
        onDeleted={() => void navigate({ to: '/admin/dashboard/users' })}
      />
      <GrantDaysDialog to={granting ? user : undefined} onClose={() => setGranting(false)} />
      <DisableUserDialog user={disabling ? user : undefined} onClose={() => setDisabling(false)} />
    </>
  );
}

/** When they came, whether they may practise, and how ready they are if they let support see it. */
function Facts({ person: { user, shares_progress, readiness } }: { person: PersonResponse }) {
  const { t, i18n } = useTranslation('admin');
  const at = (time: string | null) =>
    time ? formatShortDateTime(time, i18n.language) : t('users.never');
  const rows = [
    {
      label: t('users.column.status'),
      value: (
        <Tag data-color={user.disabled ? 'danger' : 'success'} data-size="sm">
          {t(user.disabled ? 'users.disabled' : 'users.active')}
        </Tag>
      ),
    },
    { label: t('users.column.service'), value: <UserService user={user} /> },
    {
      label: t('users.column.created'),
      value: formatShortDate(user.created_at, i18n.language),
    },
    {
      label: t('users.column.last_login'),
      value: user.last_login === null && user.quizzes > 0 ? '–' : at(user.last_login),
    },
    { label: t('users.person.last_active'), value: at(user.last_active_at) },
    {
      label: t('users.person.readiness'),
      value: readiness
        ? t('users.person.ready', {
            share: formatPercent(readiness.probability, i18n.language),
            low: formatPercent(readiness.low, i18n.language),
            high: formatPercent(readiness.high, i18n.language),
          })
        : t(shares_progress ? 'users.person.too_few' : 'users.person.not_shared'),
    },
  ];
  return <DefinitionList rows={rows} />;
}

type Credit = PersonResponse['access'][number] & { id: string };

/** Which days they were given, and for what. */
function Access({ access }: Pick<PersonResponse, 'access'>) {
  const { t, i18n } = useTranslation('admin');
  const day = (time: string) => formatShortDate(time, i18n.language);
  const columns: Column<Credit>[] = [
    {
      key: 'given',
      header: t('users.person.given'),
      primary: true,
      render: ({ given_at }) => formatShortDateTime(given_at, i18n.language),
    },
    {
      key: 'for',
      header: t('users.person.given_for'),
      render: ({ given_for, note }) =>
        [t(`users.person.credit.${given_for}`), note].filter(Boolean).join(': '),
    },
    {
      key: 'days',
      header: t('users.person.days'),
      align: 'end',
      render: ({ days, days_taken_back: taken }) =>
        taken > 0 ? t('users.person.days_left', { days, taken }) : days,
    },
    {
      key: 'period',
      header: t('users.person.period'),
      render: ({ days, days_taken_back, starts_at, ends_at }) =>
        days > days_taken_back ? `${day(starts_at)} – ${day(ends_at)}` : '–',
    },
  ];
  const rows = access.map((credit, n) => ({ ...credit, id: String(n) }));
  return (
    <List title={t('users.person.access')} none={t('users.person.no_access')} rows={rows}>
      {columns}
    </List>
  );
}

type Quiz = PersonResponse['quizzes'][number];

function Quizzes({ quizzes }: Pick<PersonResponse, 'quizzes'>) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<Quiz>[] = [
    {
      key: 'started',
      header: t('users.person.started'),
      primary: true,
      render: ({ started_at }) => formatShortDateTime(started_at, i18n.language),
    },
    {
      key: 'topic',
      header: t('users.person.quiz'),
      render: ({ kind, topic }) =>
        kind === 'practice_test'
          ? t('users.person.practice_test')
          : topic === 'all' || topic === TODAY || topic === MISTAKES
            ? t(`users.person.topic.${topic}`)
            : topic,
    },
    {
      key: 'state',
      header: t('users.column.status'),
      render: ({ state }) => t(`users.person.quiz_state.${state}`),
    },
  ];
  return (
    <List title={t('users.person.quizzes')} none={t('users.person.no_quizzes')} rows={quizzes}>
      {columns}
    </List>
  );
}

type Payment = PersonResponse['payments'][number];

function Payments({ payments }: Pick<PersonResponse, 'payments'>) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<Payment>[] = [
    {
      key: 'created',
      header: t('payments.column.created'),
      primary: true,
      render: ({ id, created_at }) => (
        <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
          {formatShortDateTime(created_at, i18n.language)}
        </Link>
      ),
    },
    {
      key: 'amount',
      header: t('payments.column.amount'),
      align: 'end',
      render: ({ amount }) => formatKroner(amount / 100, i18n.language),
    },
    {
      key: 'refunded',
      header: t('payments.fact.refunded'),
      align: 'end',
      render: ({ refunded }) => (refunded > 0 ? formatKroner(refunded / 100, i18n.language) : '–'),
    },
    {
      key: 'status',
      header: t('payments.column.status'),
      render: ({ status }) => t(`payments.status.${status}`),
    },
    {
      key: 'receipt',
      header: t('payments.column.receipt'),
      align: 'end',
      render: ({ receipt_number }) => receipt_number ?? '–',
    },
  ];
  return (
    <List title={t('payments.title')} none={t('users.person.no_payments')} rows={payments}>
      {columns}
    </List>
  );
}

type Mail = PersonResponse['mails'][number];

function Mails({ mails }: Pick<PersonResponse, 'mails'>) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<Mail>[] = [
    {
      key: 'at',
      header: t('users.person.at'),
      primary: true,
      render: ({ at }) => formatShortDateTime(at, i18n.language),
    },
    {
      key: 'kind',
      header: t('users.person.mail'),
      render: ({ kind }) => {
        const key = `users.person.mail_kind.${kind}`;
        // A newer worker may send a kind that this page does not know.
        return i18n.exists(key, { ns: 'admin' })
          ? t(key as 'users.person.mail_kind.reminder')
          : kind.replaceAll('_', ' ');
      },
    },
    {
      key: 'state',
      header: t('users.column.status'),
      render: ({ state }) => t(`users.person.mail_state.${state}`),
    },
  ];
  return (
    <List title={t('users.person.mails')} none={t('users.person.no_mails')} rows={mails}>
      {columns}
    </List>
  );
}

type ListProps<Row> = {
  title: string;
  none: string;
  rows: readonly Row[];
  children: readonly Column<Row>[];
};

function List<Row extends { id: string }>({ title, none, rows, children }: ListProps<Row>) {
  return (
    <Part title={title}>
      {rows.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <DataTable caption={title} columns={children} rows={rows} rowKey={({ id }) => id} />
      )}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}
