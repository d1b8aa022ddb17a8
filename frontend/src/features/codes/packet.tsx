import '#theme/components.css';
import { Alert, Button } from '@digdir/designsystemet-react';
import { FilesIcon, PrinterSmallIcon } from '@navikt/aksel-icons';
import type { PacketResponse } from '@proveklar/contract/codes.ts';
import { sellerLine } from '@proveklar/contract/page.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatDate, formatKroner } from '#lib/format.ts';
import { forgetPayment } from '#lib/payment-keys.ts';
import { keepCodes, packetQuery, refundPacket } from './api.ts';
import styles from './codes.module.css';

/** The page of a packet, for its buyer. The key is in the fragment, which browsers send to no server. */
export function PacketPage() {
  const { t } = useTranslation('codes');
  const hash = useRouterState({ select: (state) => state.location.hash });
  const key = new URLSearchParams(hash).get('key') ?? '';
  return (
    <Page title={t('packet.title')} width="text">
      <div className={styles.page}>
        <PacketByKey key={key} packetKey={key} />
      </div>
    </Page>
  );
}

function PacketByKey({ packetKey }: { packetKey: string }) {
  const { t } = useTranslation('codes');
  const errorText = useErrorText();
  const { data: packet, error, isFetching, refetch } = useQuery(packetQuery(packetKey));
  const settled = packet?.status === 'settled';
  useEffect(() => {
    // The next purchase is another payment.
    if (settled) forgetPayment();
  }, [settled]);
  const isUnknown =
    packetKey === '' || (error instanceof ApiError && [400, 404].includes(error.status));
  if (isUnknown) {
    return <Message title={t('packet.not_found_title')} text={t('packet.not_found_text')} />;
  }
  if (packet) return <PacketView packet={packet} packetKey={packetKey} />;
  if (error) {
    return (
      <RetryAlert title={t('packet.load_failed')} busy={isFetching} onRetry={() => void refetch()}>
        {errorText(error)}
      </RetryAlert>
    );
  }
  return (
    <FormCard>
      <h1>{t('packet.title')}</h1>
      <SkeletonLines label={t('packet.loading')} lines={6} />
    </FormCard>
  );
}

type MessageProps = { title: string; text: string; buy?: boolean };

function Message({ title, text, buy = true }: MessageProps) {
  const { t } = useTranslation('codes');
  return (
    <FormCard>
      <h1>{title}</h1>
      <p>{text}</p>
      {buy && <ButtonLink to="/skoler">{t('packet.buy_again')}</ButtonLink>}
    </FormCard>
  );
}

type PacketProps = { packet: PacketResponse; packetKey: string };

function PacketView({ packet, packetKey }: PacketProps) {
  const { t } = useTranslation('codes');
  const { data: config } = useQuery(configQuery);
  switch (packet.status) {
    case 'processing':
    case 'requires_action':
      return (
        <div role="status">
          <Message title={t('packet.waiting_title')} text={t('packet.waiting_text')} buy={false} />
        </div>
      );
    case 'unpaid':
      return <Message title={t('packet.unpaid_title')} text={t('packet.unpaid_text')} />;
    case 'over':
      return <Message title={t('packet.over_title')} text={t('packet.over_text')} />;
    case 'needs_help':
      return (
        <Message
          title={t('packet.help_title')}
          text={t('packet.help_text', { email: config?.support_email ?? '' })}
          buy={false}
        />
      );
    case 'settled':
      break;
  }
  return (
    <>
      <h1>{t('packet.title')}</h1>
      {packet.kept_codes ? (
        <Codes codes={packet.kept_codes} packetKey={packetKey} />
      ) : (
        <Alert data-color="info" data-size="sm">
          {t('packet.gone', { email: packet.email ?? '' })}
        </Alert>
      )}
      <Use packet={packet} />
      <div className={styles.unprinted}>
        <Refund packet={packet} packetKey={packetKey} />
      </div>
      <ReceiptSheet packet={packet} />
    </>
  );
}

/** The codes, until the buyer has kept them. */
function Codes({ codes, packetKey }: { codes: string[]; packetKey: string }) {
  const { t } = useTranslation('codes');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [said, setSaid] = useState<'copied' | 'copy_failed'>();
  const keep = useMutation({
    mutationFn: () => keepCodes(packetKey),
    onSuccess: () => queryClient.invalidateQueries(packetQuery(packetKey)),
  });

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      setSaid('copied');
    } catch {
      setSaid('copy_failed');
    }
  }

  return (
    <FormCard>
      <h2>{t('packet.codes_title')}</h2>
      <p>{t('packet.codes_text')}</p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={`${styles.actions} ${styles.unprinted}`}>
        <Button onClick={() => void copy()}>
          <FilesIcon aria-hidden />
          {t('packet.copy')}
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <PrinterSmallIcon aria-hidden />
          {t('packet.print')}
        </Button>
        <Button variant="secondary" onClick={() => setAsking(true)}>
          {t('packet.keep')}
        </Button>
      </div>
      <p role="status">{said && t(`packet.${said}`)}</p>
      <AppDialog open={asking} onClose={() => setAsking(false)} title={t('packet.keep_title')}>
        <p>{t('packet.keep_text')}</p>
        <FormAlert>{keep.error && errorText(keep.error)}</FormAlert>
        <DialogActions>
          <BusyButton busy={keep.isPending} onClick={() => keep.mutate()}>
            {t('packet.keep_confirm')}
          </BusyButton>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            {t('packet.keep_back')}
          </Button>
        </DialogActions>
      </AppDialog>
    </FormCard>
  );
}

/** How many codes are used and unused. */
function Use({ packet }: { packet: PacketResponse }) {
  const { t, i18n } = useTranslation('codes');
  const { codes: all, used, unused, withdrawn, expires_at } = packet;
  return (
    <FormCard>
      <h2>{t('packet.use_title')}</h2>
      {packet.disputed && (
        <Alert data-color="warning" data-size="sm">
          {t('packet.disputed')}
        </Alert>
      )}
      <DefinitionList
        rows={[
          { label: t('packet.used'), value: t('packet.count', { count: used, all }) },
          { label: t('packet.unused'), value: t('packet.count', { count: unused, all }) },
          ...(withdrawn > 0
            ? [
                {
                  label: t('packet.withdrawn'),
                  value: t('packet.count', { count: withdrawn, all }),
                },
              ]
            : []),
          {
            label: t('packet.expires'),
            value: expires_at ? formatDate(expires_at, i18n.language) : '–',
          },
        ]}
      />
      <p className="muted">{t('packet.privacy')}</p>
    </FormCard>
  );
}

function Refund({ packet, packetKey }: PacketProps) {
  const { t, i18n } = useTranslation('codes');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const refund = useMutation({
    mutationFn: (ore: number) => refundPacket(packetKey, ore),
    // Also after a refusal, to show the current amount.
    onSettled: () => queryClient.invalidateQueries(packetQuery(packetKey)),
    onSuccess: () => {
      setAsking(false);
      // The focused dialog has disappeared, and its button, too.
      heading.current?.focus();
    },
  });
  const { refundable, refunds, unused } = packet;
  const amount = formatKroner((refundable?.refund_amount ?? 0) / 100, i18n.language);

  return (
    <FormCard>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t('packet.refund_title')}
      </h2>
      {refunds.map(({ id, amount: ore, state, date }) => (
        <p key={id} role="status">
          <strong>{formatKroner(ore / 100, i18n.language)}</strong>,{' '}
          {formatDate(date, i18n.language)}. {t(`packet.refund_state.${state}`)}
        </p>
      ))}
      {refundable && (
        <>
          <p>
            {t('packet.refund_text', {
              amount,
              date: formatDate(refundable.until, i18n.language),
            })}
          </p>
          <Button variant="secondary" data-color="danger" onClick={() => setAsking(true)}>
            {t('packet.refund_begin')}
          </Button>
        </>
      )}
      {!refundable && refunds.length === 0 && (
        <p>{t(unused > 0 && !packet.disputed ? 'packet.refund_over' : 'packet.refund_none')}</p>
      )}
      <AppDialog
        open={asking && refundable !== null}
        onClose={() => {
          refund.reset();
          setAsking(false);
        }}
        title={t('packet.refund_confirm_title')}
      >
        <p>{t('packet.refund_confirm_text', { amount, count: unused })}</p>
        <FormAlert>{refund.error && errorText(refund.error)}</FormAlert>
        <DialogActions>
          <BusyButton
            data-color="danger"
            busy={refund.isPending}
            onClick={() => refundable && refund.mutate(refundable.refund_amount)}
          >
            {t('packet.refund_confirm')}
          </BusyButton>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            {t('packet.refund_keep')}
          </Button>
        </DialogActions>
      </AppDialog>
    </FormCard>
  );
}

/** The receipt of the organisation. */
function ReceiptSheet({ packet }: { packet: PacketResponse }) {
  const { t, i18n } = useTranslation('codes');
  const { receipt, organisation_number: number } = packet;
  if (!receipt) return null;
  const { vat_percent: percent, seller } = receipt;
  const { codes, service_days: count } = packet;
  const rows = [
    { label: t('packet.receipt_number'), value: receipt.number },
    { label: t('packet.receipt_date'), value: formatDate(receipt.issued_at, i18n.language) },
    { label: t('packet.receipt_buyer'), value: packet.organisation },
    ...(number
      ? [
          {
            label: t('packet.receipt_buyer_number'),
            value: number.replaceAll(/\d{3}(?=\d)/g, '$&\u00A0'),
          },
        ]
      : []),
    {
      label: t('packet.receipt_product'),
      value: t('packet.receipt_product_value', { codes, count }),
    },
    {
      label: t('packet.receipt_amount'),
      value: formatKroner(packet.amount / 100, i18n.language),
    },
    {
      label: percent > 0 ? t('packet.receipt_vat', { percent }) : t('packet.receipt_vat_none'),
      value: formatKroner(receipt.vat / 100, i18n.language),
    },
    { label: t('packet.receipt_method'), value: t('packet.receipt_card') },
    ...(seller.name
      ? [
          {
            label: t('packet.receipt_seller'),
            value: sellerLine({ ...seller, name: seller.name, vat_registered: percent > 0 }),
          },
        ]
      : []),
  ];
  return (
    <FormCard>
      <Stack as="article" gap={5}>
        <h2>{t('packet.receipt_title')}</h2>
        <DefinitionList rows={rows} />
      </Stack>
      <div className={styles.unprinted}>
        <Button variant="secondary" onClick={() => window.print()}>
          <PrinterSmallIcon aria-hidden />
          {t('packet.print')}
        </Button>
      </div>
    </FormCard>
  );
}
