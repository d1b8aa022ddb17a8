import { Alert } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type {
  FunnelResponse,
  MethodRow,
  MoneyFigures,
  MoneyResponse,
  MoneyRow,
} from '@proveklar/contract/money.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { Choice } from '#components/admin/filters.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import {
  formatCount,
  formatMonth,
  formatOre,
  formatShortDate,
  formatShortDateTime,
} from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { downloadLedger, funnelQuery, moneyQuery, readMoneySearch } from './api.ts';
import styles from './money.module.css';

/** What was sold and what went back, by month and day, compared with Stripe; and how learners come to pay. */
export function MoneyScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const [search, show] = useScreenSearch('/admin/dashboard/money', readMoneySearch);
  const [thisYear] = useState(() => new Date().getFullYear());
  const period = search.period ?? String(thisYear);
  const money = useQuery(moneyQuery(period));
  const download = useMutation({ mutationFn: downloadLedger });
  const { data } = money;
  const name = usePeriodName();
  return (
    <AdminScreen
      title={t('money.title')}
      lead={t('money.lead')}
      actions={
        <BusyButton
          variant="secondary"
          busy={download.isPending}
          onClick={() => download.mutate(period)}
        >
          <DownloadIcon aria-hidden />
          {t('money.download', { period: name(period) })}
        </BusyButton>
      }
    >
      <FormAlert>
        {download.isError ? t('money.failed.download', { reason: errorText(download.error) }) : ''}
      </FormAlert>
      <Periods
        period={period}
        years={yearsFrom(data?.first_year ?? thisYear, thisYear)}
        onChoose={(year) => show({ period: year })}
      />
      {money.isPending && <SkeletonLines label={t('money.loading')} lines={10} />}
      {money.isError && (
        <RetryAlert busy={money.isFetching} onRetry={() => void money.refetch()}>
          {t('money.failed.fetch', { status: statusText(money.error) })}
        </RetryAlert>
      )}
      {data && <Figures money={data} period={period} busy={money.isPlaceholderData} />}
      <Funnel period={period} />
    </AdminScreen>
  );
}

const yearsFrom = (first: number, last: number) =>
  Array.from({ length: Math.max(1, last - first + 1) }, (_, n) => String(last - n));

/** A year, a month or a day in words. */
function usePeriodName() {
  const { i18n } = useTranslation();
  return (period: string): string => {
    if (period.length === 4) return period;
    return period.length === 7
      ? formatMonth(period, i18n.language)
      : formatShortDate(`${period}T12:00:00Z`, i18n.language);
  };
}

type PeriodsProps = { period: string; years: string[]; onChoose: (year: string) => void };

/** The chosen year; of a month also its name, and the way back to the year. */
function Periods({ period, years, onChoose }: PeriodsProps) {
  const { t } = useTranslation('admin');
  const name = usePeriodName();
  const year = period.slice(0, 4);
  const isMonth = period.length > 4;
  return (
    <div className={styles.periods}>
      <Choice
        label={t('money.year')}
        value={isMonth ? undefined : year}
        all={isMonth ? name(period) : year}
        options={(years.includes(year) ? years : [year, ...years]).map((one) => [one, one])}
        onChange={(chosen) => onChoose(chosen ?? year)}
      />
      {isMonth && (
        <Link to="/admin/dashboard/money" search={{ period: year }} className="ds-link">
          {t('money.whole_year', { year })}
        </Link>
      )}
    </div>
  );
}

type FiguresProps = { money: MoneyResponse; period: string; busy: boolean };

function Figures({ money: { rows, total, methods, stripe }, period, busy }: FiguresProps) {
  const { t, i18n } = useTranslation('admin');
  const name = usePeriodName();
  const kroner = (ore: number) => formatOre(ore, i18n.language);
  const tiles = [
    { label: t('money.column.gross'), value: kroner(total.gross) },
    { label: t('money.column.returned'), value: kroner(total.refunded + total.disputed) },
    { label: t('money.column.vat'), value: kroner(total.vat) },
    { label: t('money.column.net'), value: kroner(total.net) },
    { label: t('money.column.fees'), value: total.fees === null ? '–' : kroner(total.fees) },
  ];
  const isYear = period.length === 4;
  return (
    <>
      <StatTiles tiles={tiles} />
      <Agreement stripe={stripe} />
      {isMoved(total) ? (
        <>
          <FigureTable
            title={t(isYear ? 'money.by_month' : 'money.by_day')}
            hint={t(isYear ? 'money.only_months' : 'money.only_days')}
            rows={rows.filter(isMoved)}
            first={t(isYear ? 'money.column.month' : 'money.column.day')}
            keyOf={(row) => row.period}
            renderHead={({ period: one }) =>
              one.length === 7 ? (
                <Link to="/admin/dashboard/money" search={{ period: one }} className="ds-link">
                  {name(one)}
                </Link>
              ) : (
                name(one)
              )
            }
            busy={busy}
          />
          <FigureTable
            title={t('money.by_method')}
            rows={methods}
            first={t('money.column.method')}
            keyOf={({ method }) => method ?? ''}
            renderHead={({ method }) => <MethodName method={method} />}
            busy={busy}
          />
        </>
      ) : (
        <EmptyState title={t('money.none', { period: name(period) })}>
          <p>{t('money.none_text')}</p>
        </EmptyState>
      )}
    </>
  );
}

const isMoved = ({ sales, refunded, disputed, vat, net }: MoneyFigures) =>
  sales !== 0 || refunded !== 0 || disputed !== 0 || vat !== 0 || net !== 0;

const METHODS = ['card', 'apple_pay', 'google_pay', 'link', 'vipps'] as const;

function MethodName({ method }: { method: string | null }) {
  const { t } = useTranslation('admin');
  const known = METHODS.find((one) => one === method);
  return known ? t(`money.method.${known}`) : (method ?? t('money.method.unknown'));
}

type FigureTableProps<Row> = {
  title: string;
  hint?: string;
  rows: readonly Row[];
  /** The header of the first column. */
  first: string;
  keyOf: (row: Row) => string;
  renderHead: (row: Row) => ReactNode;
  busy: boolean;
};

function FigureTable<Row extends MoneyRow | MethodRow>(props: FigureTableProps<Row>) {
  const { title, hint, rows, first, keyOf, renderHead, busy } = props;
  const { t, i18n } = useTranslation('admin');
  const id = useId();
  const amount = (key: keyof MoneyFigures): Column<Row> => ({
    key,
    header: t(`money.column.${key}`),
    align: 'end',
    render: (row) => {
      const ore = row[key];
      return ore === null ? '–' : <Amount ore={ore} />;
    },
  });
  const columns: Column<Row>[] = [
    { key: 'first', header: first, primary: true, render: renderHead },
    {
      key: 'sales',
      header: t('money.column.sales'),
      align: 'end',
      render: ({ sales }) => formatCount(sales, i18n.language),
    },
    amount('gross'),
    amount('refunded'),
    amount('disputed'),
    amount('vat'),
    amount('net'),
    amount('fees'),
  ];
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {hint && <p className="muted">{hint}</p>}
      <DataTable caption={title} columns={columns} rows={rows} rowKey={keyOf} busy={busy} />
    </section>
  );
}

function Amount({ ore }: { ore: number }) {
  const { i18n } = useTranslation();
  return <span className={styles.amount}>{formatOre(ore, i18n.language)}</span>;
}

/** Whether our books and Stripe's balance have the same sums, and when they were last compared. */
function Agreement({ stripe }: { stripe: MoneyResponse['stripe'] }) {
  const { t, i18n } = useTranslation('admin');
  const { read_at, compared, differing, differences } = stripe;
  if (read_at === null) {
    return (
      <Alert data-color="info" data-size="sm">
        {t('money.stripe.never')}
      </Alert>
    );
  }
  const date = formatShortDateTime(read_at, i18n.language);
  const number = formatCount(compared, i18n.language);
  if (differing === 0) {
    return (
      <Alert data-color="success" data-size="sm">
        {t('money.stripe.agrees', { count: compared, number, date })}
      </Alert>
    );
  }
  return (
    <Alert data-color="warning" data-size="sm">
      <div className={styles.part}>
        <p>
          <strong>
            {t('money.stripe.differs', {
              count: differing,
              number: formatCount(differing, i18n.language),
              of: number,
            })}
          </strong>{' '}
          {t('money.stripe.read', { date })}
        </p>
        <ul className={styles.differences}>
          {differences.map(({ payment_id: id, receipt_number, books, stripe: theirs }) => (
            <li key={id}>
              <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
                {receipt_number === null
                  ? t('money.stripe.no_receipt')
                  : t('money.stripe.receipt', { number: receipt_number })}
              </Link>{' '}
              {t('money.stripe.sums', {
                books: formatOre(books, i18n.language),
                stripe: formatOre(theirs, i18n.language),
              })}
            </li>
          ))}
        </ul>
      </div>
    </Alert>
  );
}

const STEPS = ['sample', 'registered', 'paid', 'first_quiz', 'came_back'] as const;
type FunnelRow = FunnelResponse['rows'][number];

/** How many came how far, by day or month. */
function Funnel({ period }: { period: string }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const name = usePeriodName();
  const funnel = useQuery(funnelQuery(period));
  const { data } = funnel;
  const columns: Column<FunnelRow>[] = [
    {
      key: 'period',
      header: t(period.length === 4 ? 'money.column.month' : 'money.column.day'),
      primary: true,
      render: (row) => name(row.period),
    },
    ...STEPS.map((step): Column<FunnelRow> => ({
      key: step,
      header: t(`money.funnel.step.${step}`),
      align: 'end',
      render: (row) => <Count count={row[step]} />,
    })),
  ];
  const rows = data?.rows.filter((row) => STEPS.some((step) => row[step] !== '<5')) ?? [];
  return (
    <section className={styles.part} aria-labelledby="funnel">
      <h2 id="funnel" className={styles.heading}>
        {t('money.funnel.title')}
      </h2>
      <p className="muted">{t('money.funnel.lead')}</p>
      {funnel.isPending && <SkeletonLines label={t('money.funnel.loading')} lines={6} />}
      {funnel.isError && (
        <RetryAlert busy={funnel.isFetching} onRetry={() => void funnel.refetch()}>
          {t('money.failed.funnel', { status: statusText(funnel.error) })}
        </RetryAlert>
      )}
      {data && (
        <ol className={styles.funnel}>
          {STEPS.map((step) => (
            <li key={step}>
              <span>{t(`money.funnel.step.${step}`)}</span>
              <strong>
                <Count count={data.total[step]} />
              </strong>
            </li>
          ))}
        </ol>
      )}
      {data && rows.length > 0 && (
        <DataTable
          caption={t('money.funnel.title')}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.period}
          busy={funnel.isPlaceholderData}
        />
      )}
      {data && rows.length < data.rows.length && (
        <p className="muted">{t(rows.length === 0 ? 'money.funnel.none' : 'money.funnel.few')}</p>
      )}
    </section>
  );
}

function Count({ count }: { count: number | '<5' }) {
  const { i18n } = useTranslation();
  return typeof count === 'number' ? formatCount(count, i18n.language) : <span>{'<5'}</span>;
}
