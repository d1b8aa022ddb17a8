import { Alert, Button } from '@digdir/designsystemet-react';
import type { ReceiptResponse, RefundResponse } from '@proveklar/contract/payment.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatKroner } from '#lib/format.ts';
import { purchaseKeys, withdraw } from './api.ts';
import { formatOsloDate } from './purchase-parts.tsx';
import { withdrawalRefund } from './purchase-state.ts';

/** The right of withdrawal of one purchase: the deadline, the refund, and the result. */
export function Withdrawal({ receipt }: { receipt: ReceiptResponse }) {
  const { t } = useTranslation('purchase');
  const made = withdrawalRefund(receipt);
  const wasMade = useRef(made !== undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The focused dialog has disappeared, and its button, too.
    if (made && !wasMade.current) heading.current?.focus();
    wasMade.current = made !== undefined;
  }, [made]);
  return (
    <FormCard>
      <h2 ref={heading} tabIndex={-1}>
        {t('withdrawal.title')}
      </h2>
      {made ? <WithdrawalResult refund={made} /> : <Offer receipt={receipt} />}
      <p>
        <Link to="/angrerett" className="ds-link tap">
          {t('withdrawal.about')}
        </Link>
      </p>
    </FormCard>
  );
}

function Offer({ receipt }: { receipt: ReceiptResponse }) {
  const { t, i18n } = useTranslation('purchase');
  const [asking, setAsking] = useState(false);
  const { withdrawal, withdrawal_until } = receipt;
  const date = formatOsloDate(withdrawal_until, i18n.language);
  if (!withdrawal) return <p>{t(`withdrawal.${refusal(receipt)}`, { date })}</p>;
  const amount = formatKroner(withdrawal.refund_amount / 100, i18n.language);
  return (
    <>
      <Stack gap={2}>
        <p>{t('withdrawal.until', { date })}</p>
        <p>
          <strong>{t('withdrawal.refund', { amount })}</strong>
          {withdrawal.refund_amount < receipt.amount - receipt.refunded &&
            ` ${t('withdrawal.refund_part')}`}
        </p>
        <p>{t('withdrawal.consequence')}</p>
      </Stack>
      <Button variant="secondary" data-color="danger" onClick={() => setAsking(true)}>
        {t('withdrawal.begin')}
      </Button>
      <WithdrawDialog
        open={asking}
        id={receipt.id}
        refundAmount={withdrawal.refund_amount}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Why a withdrawal is not possible. */
function refusal({ state, dispute, withdrawal_until }: ReceiptResponse) {
  if (dispute === 'lost') return 'dispute_lost';
  if (state === 'disputed' || state === 'refunded') return state;
  return Date.parse(withdrawal_until) < Date.now() ? 'over' : 'nothing_left';
}

const looks = {
  requested: { color: 'info', text: 'requested' },
  pending: { color: 'info', text: 'requested' },
  succeeded: { color: 'success', text: 'succeeded' },
  failed: { color: 'warning', text: 'failed' },
  cancelled: { color: 'warning', text: 'failed' },
} as const;

/** The state of the refund, which live updates keep current. */
function WithdrawalResult({ refund }: { refund: RefundResponse }) {
  const { t, i18n } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const { color, text } = looks[refund.state];
  return (
    <Alert data-color={color} data-size="sm" role="status">
      <p>
        <strong>{t('withdrawal.done')}</strong>
      </p>
      <p>
        {t(`withdrawal.${text}`, {
          amount: formatKroner(refund.amount / 100, i18n.language),
          email: config?.support_email,
        })}
      </p>
    </Alert>
  );
}

type WithdrawDialogProps = {
  open: boolean;
  /** The id of the payment. */
  id: string;
  /** The refund in øre that the learner agrees to. */
  refundAmount: number;
  onClose: () => void;
};

/** Asks before a withdrawal, with the refund and the end of access. */
function WithdrawDialog({ open, id, refundAmount, onClose }: WithdrawDialogProps) {
  const { t, i18n } = useTranslation('purchase');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (amount: number) => withdraw(id, { refund_amount: amount }),
    // Also after a refusal, to show its reason and the current amount.
    onSettled: () => queryClient.invalidateQueries({ queryKey: purchaseKeys.all }),
  });

  function close() {
    mutation.reset();
    onClose();
  }

  return (
    <AppDialog open={open} onClose={close} title={t('withdrawal.confirm_title')}>
      <p>
        {t('withdrawal.confirm_text', { amount: formatKroner(refundAmount / 100, i18n.language) })}
      </p>
      <FormAlert>{mutation.error && errorText(mutation.error)}</FormAlert>
      <DialogActions>
        <BusyButton
          data-color="danger"
          busy={mutation.isPending}
          onClick={() => mutation.mutate(refundAmount)}
        >
          {t('withdrawal.confirm')}
        </BusyButton>
        <Button variant="secondary" onClick={close}>
          {t('withdrawal.keep')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
