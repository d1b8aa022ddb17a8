import { Alert, Button } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { useIsOwner } from '#components/admin/role.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import { paymentQuery, paymentsKeys, syncPayment } from './api.ts';
import styles from './payments.module.css';
import { RefundDialog } from './refund.tsx';
import { StatusTag } from './status-tag.tsx';

/** One payment: what it gave, its history, and the actions. */
export function PaymentPage() {
  const { id } = useParams({ from: '/identified/admin/dashboard/payments/$id' });
  // The key resets the state for another payment.
  return <OnePayment key={id} id={id} />;
}

function OnePayment({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(paymentQuery(id));
  const { data: payment, error } = found;
  // 400: the address has an invalid id.
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <AdminScreen
      title={t('payments.title_one')}
      lead={payment && (payment.email ?? t('payments.deleted'))}
      actions={
        <ButtonLink to="/admin/dashboard/payments" variant="tertiary" data-size="sm">
          <ArrowLeftIcon aria-hidden />
          {t('payments.back')}
        </ButtonLink>
      }
    >
      {found.isPending && <SkeletonLines label={t('payments.loading_one')} lines={8} />}
      {isMissing && (
        <EmptyState title={t('payments.missing')}>
          <p>{t('payments.missing_text')}</p>
        </EmptyState>
      )}
      {found.isError && !isMissing && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('payments.failed.fetch_one', { status: statusText(error) })}
        </RetryAlert>
      )}
      {payment && (
        <div className={styles.page}>
          <PaymentActions payment={payment} />
          <PaymentFacts payment={payment} />
          <PaymentHistory payment={payment} />
        </div>
      )}
    </AdminScreen>
  );
}

/** The status of a payment, why it needs attention, and the actions. */
function PaymentActions({ payment }: { payment: PaymentDetails }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [refunding, setRefunding] = useState(false);
  const { id, status, attention, payment_intent_id: intent, refundable, stripe_url } = payment;
  const sync = useMutation({
    mutationFn: () => syncPayment(id),
    onSuccess: () => notify(t('payments.synced')),
    onError: (error) => notify(t('payments.failed.sync', { reason: errorText(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: paymentsKeys.all }),
  });
  return (
    <div className={`${styles.wide} ${styles.list}`}>
      {attention && (
        <Alert data-color="warning" data-size="sm">
          <h2 className={styles.heading}>{t('payments.needs_you')}</h2>
          <p>{t(`payments.attention.${attention}`)}</p>
        </Alert>
      )}
      <div className={styles.bar}>
        <StatusTag status={status} />
        {isOwner && refundable > 0 && (
          <Button data-size="sm" onClick={() => setRefunding(true)}>
            {t('payments.refund.open')}
          </Button>
        )}
        {isOwner && intent && (
          <BusyButton
            data-size="sm"
            variant="secondary"
            busy={sync.isPending}
            onClick={() => sync.mutate()}
          >
            {t('payments.sync')}
          </BusyButton>
        )}
        {stripe_url && (
          <a href={stripe_url} target="_blank" rel="noreferrer" className="ds-link">
            {t('payments.in_stripe')}
          </a>
        )}
        {isOwner && (
          <Link to="/admin/dashboard/audit" search={{ subject: id }} className="ds-link">
            {t('payments.in_log')}
          </Link>
        )}
      </div>
      <RefundDialog payment={payment} open={refunding} onClose={() => setRefunding(false)} />
    </div>
  );
}

/** The payer's page; before the account exists, a search for the address. */
function PayerLink({ uid, email }: { uid: string | null; email: string }) {
  return uid ? (
    <Link to="/admin/dashboard/users/$uid" params={{ uid }} className="ds-link">
      {email}
    </Link>
  ) : (
    <Link to="/admin/dashboard/users" search={{ email }} className="ds-link">
      {email}
    </Link>
  );
}

/** What was bought, by whom, and what it gave. */
function PaymentFacts({ payment }: { payment: PaymentDetails }) {
  const { t, i18n } = useTranslation('admin');
  const codeText = useCodeText();
  const at = (time: string) => formatShortDateTime(time, i18n.language);
  const day = (time: string) => formatShortDate(time, i18n.language);
  const { email, credit, packet, receipt, consent, cancelled_at, cancel_reason } = payment;
  const bought = [
    {
      label: t('payments.column.email'),
      value: email ? <PayerLink uid={payment.uid} email={email} /> : t('payments.deleted'),
    },
    ...(payment.username ? [{ label: t('payments.fact.name'), value: payment.username }] : []),
    ...(packet?.organisation_number
      ? [{ label: t('payments.fact.organisation_number'), value: packet.organisation_number }]
      : []),
    { label: t('payments.column.purpose'), value: t(`payments.purpose.${payment.purpose}`) },
    { label: t('payments.column.created'), value: at(payment.created_at) },
    {
      label: t('payments.column.amount'),
      value: formatKroner(payment.amount / 100, i18n.language),
    },
    // Schools and employers are not asked: they have no right of withdrawal.
    ...(packet
      ? []
      : [
          {
            label: t('payments.fact.consent'),
            value: consent
              ? t('payments.fact.consent_value', { version: consent.version, date: at(consent.at) })
              : t('payments.fact.no_consent'),
          },
        ]),
    ...(cancelled_at && cancel_reason
      ? [
          {
            label: t('payments.fact.cancelled'),
            value: t('payments.fact.cancelled_value', {
              date: at(cancelled_at),
              reason: t(`payments.cancel_reason.${cancel_reason}`),
            }),
          },
        ]
      : []),
    {
      label: t('payments.fact.stripe'),
      value: (
        <>
          <span className={styles.ids}>{payment.payment_intent_id ?? '–'}</span>
          {payment.intent_status && (
            <div className="muted">{codeText('intent_status', payment.intent_status)}</div>
          )}
        </>
      ),
    },
  ];
  const gave = [
    ...(packet
      ? [
          {
            label: t('payments.fact.codes'),
            value: t('payments.fact.codes_value', {
              codes: packet.codes,
              count: payment.days,
            }),
          },
          {
            label: t('payments.fact.codes_use'),
            value: t('payments.fact.codes_use_value', {
              used: packet.used,
              unused: packet.unused,
              withdrawn: packet.withdrawn,
            }),
          },
          {
            label: t('payments.fact.codes_until'),
            value: packet.expires_at ? day(packet.expires_at) : '–',
          },
        ]
      : [
          {
            label: t('payments.fact.days'),
            value: credit
              ? t('payments.fact.days_value', { count: credit.days })
              : t('payments.fact.no_days'),
          },
        ]),
    ...(credit
      ? [
          { label: t('payments.fact.taken_back'), value: String(credit.taken_back) },
          {
            label: t('payments.fact.period'),
            value: `${day(credit.starts_at)} – ${day(credit.ends_at)}`,
          },
        ]
      : []),
    ...(payment.paid_at ? [{ label: t('payments.fact.paid'), value: at(payment.paid_at) }] : []),
    {
      label: t('payments.column.receipt'),
      value: receipt
        ? t('payments.fact.receipt_value', {
            number: receipt.number,
            date: day(receipt.issued_at),
            vat: formatKroner(receipt.vat / 100, i18n.language),
          })
        : '–',
    },
    {
      label: t('payments.fact.refunded'),
      value: formatKroner(payment.refunded / 100, i18n.language),
    },
  ];
  return (
    <>
      <section className={styles.panel} aria-labelledby="bought">
        <h2 id="bought" className={styles.heading}>
          {t('payments.fact.bought')}
        </h2>
        <DefinitionList rows={bought} />
      </section>
      <section className={styles.panel} aria-labelledby="gave">
        <h2 id="gave" className={styles.heading}>
          {t('payments.fact.gave')}
        </h2>
        <DefinitionList rows={gave} />
      </section>
    </>
  );
}

type Item<K extends 'refunds' | 'disputes' | 'refusals' | 'events'> = PaymentDetails[K][number];

/** The history of a payment: refunds, disputes, declined cards, and Stripe's events. */
function PaymentHistory({ payment }: { payment: PaymentDetails }) {
  const { t, i18n } = useTranslation('admin');
  const codeText = useCodeText();
  const at = (time: string | null) => (time ? formatShortDateTime(time, i18n.language) : '–');
  const kroner = (ore: number) => formatKroner(ore / 100, i18n.language);
  const column = <Row,>(
    key: 'date' | 'amount' | 'state' | 'reason' | 'due' | 'type' | 'handled' | 'by',
    render: (row: Row) => ReactNode,
    primary = false,
  ): Column<Row> => ({ key, header: t(`payments.history.${key}`), render, primary });

  const ofRefund = column<Item<'refunds'>>;
  const ofDispute = column<Item<'disputes'>>;
  const ofRefusal = column<Item<'refusals'>>;
  const ofEvent = column<Item<'events'>>;

  return (
    <>
      <Part title={t('payments.history.refunds')} rows={payment.refunds}>
        {[
          ofRefund('date', (one) => at(one.created_at), true),
          ofRefund('amount', (one) => kroner(one.amount)),
          ofRefund('state', (one) => (
            <span className={styles.stack}>
              <span>{t(`payments.refund_state.${one.state}`)}</span>
              {one.failure && <small>{codeText('refund_failure', one.failure)}</small>}
            </span>
          )),
          ofRefund('reason', ({ reason }) =>
            payment.packet && reason === 'withdrawal'
              ? t('payments.refund_reason.unused_codes')
              : t(`payments.refund_reason.${reason}`),
          ),
          ofRefund('by', (one) => one.requested_by ?? '–'),
        ]}
      </Part>
      <Part title={t('payments.history.disputes')} rows={payment.disputes}>
        {[
          ofDispute('date', (one) => at(one.opened_at), true),
          ofDispute('amount', (one) => kroner(one.amount)),
          ofDispute('state', (one) => codeText('dispute_status', one.status)),
          ofDispute('reason', (one) => codeText('dispute_reason', one.reason)),
          ofDispute('due', (one) => at(one.evidence_due_at)),
        ]}
      </Part>
      <Part title={t('payments.history.refusals')} rows={payment.refusals}>
        {[
          ofRefusal('date', (one) => at(one.at), true),
          ofRefusal('reason', (one) => (one.code ? codeText('decline_code', one.code) : '–')),
        ]}
      </Part>
      <Part title={t('payments.history.events')} rows={payment.events}>
        {[
          ofEvent('type', (one) => codeText('event', one.type), true),
          ofEvent('date', (one) => at(one.received_at)),
          ofEvent('handled', (one) => at(one.processed_at)),
          ofEvent('by', (one) => t(`payments.event_source.${one.source}`)),
        ]}
      </Part>
    </>
  );
}

type PartProps<Row> = { title: string; rows: readonly Row[]; children: readonly Column<Row>[] };

function Part<Row extends { id: string }>({ title, rows, children }: PartProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <section className={`${styles.wide} ${styles.part}`}>
      <h2 className={styles.heading}>{title}</h2>
      <DataTable caption={title} columns={children} rows={rows} rowKey={({ id }) => id} />
    </section>
  );
}

type CodeGroup =
  | 'intent_status'
  | 'event'
  | 'dispute_status'
  | 'dispute_reason'
  | 'decline_code'
  | 'refund_failure';

/** Texts for the codes of Stripe and the banks; an unknown code is shown as it is. */
function useCodeText() {
  const { t, i18n } = useTranslation('admin');
  return (group: CodeGroup, code: string): string => {
    const key = `payments.${group}.${code}`;
    // A failure may be a sentence, whose dots and colons i18next would parse as separators of a key.
    return /^[a-z_]+(\.[a-z_]+)*$/.test(code) && i18n.exists(key, { ns: 'admin' })
      ? t(key as 'payments.decline_code.generic_decline')
      : t('payments.other_code', { code });
  };
}
