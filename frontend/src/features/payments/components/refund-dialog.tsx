import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { Button, Textfield } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NOTE_LENGTH } from '@proveklar/contract/limits.ts';
import { notify } from '#components/admin/notify.ts';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { daysTakenBackBy, exactKroner, readKroner, toKroner } from '../amounts.ts';
import { paymentsKeys, refundPayment } from '../api.ts';
import styles from './payments.module.css';

type RefundDialogProps = { payment: PaymentDetails; open: boolean; onClose: () => void };

/** Pays money back: all that is left, or a part. */
export function RefundDialog({ payment, open, onClose }: RefundDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <AppDialog open={open} onClose={onClose} title={t('payments.refund.title')}>
      <RefundForm payment={payment} onClose={onClose} />
    </AppDialog>
  );
}

function RefundForm({ payment, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [amount, setAmount] = useState(() => toKroner(payment.refundable));
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState('');
  // One for each time the dialog is opened: two clicks, and a try after a lost answer, are one order.
  const [key] = useState(randomUuid);
  const order = useMutation({
    mutationFn: refundPayment,
    onSuccess: (refund) => {
      notify(t('payments.refund.ordered', { amount: exactKroner(refund.amount) }));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: paymentsKeys.all }),
  });
  const ore = readKroner(amount);
  const fits = ore !== null && ore <= payment.refundable;
  const left = exactKroner(payment.refundable);
  const days = daysTakenBackBy(fits ? ore : 0, {
    ...payment,
    taken_back: payment.credit?.taken_back ?? 0,
  });

  function send(event: React.SyntheticEvent) {
    event.preventDefault();
    if (order.isPending) return;
    if (!fits) {
      setWrong(t('payments.refund.wrong', { least: exactKroner(1), left }));
      return;
    }
    const reason = note.trim();
    const body = { amount: ore, ...(reason && { reason_note: reason }) };
    order.mutate({ id: payment.id, key, body });
  }

  return (
    <form className={styles.form} onSubmit={send} noValidate>
      <p>{t('payments.refund.text', { email: payment.email ?? t('payments.deleted') })}</p>
      <Textfield
        label={t('payments.refund.amount')}
        description={t('payments.refund.left', { left })}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={wrong}
        onChange={(event) => {
          setAmount(event.currentTarget.value);
          setWrong('');
        }}
      />
      <Textfield
        label={t('payments.refund.note')}
        description={t('payments.refund.note_what')}
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {payment.credit && fits && <p role="status">{t('payments.refund.days', { count: days })}</p>}
      <FormAlert>
        {order.isError ? t('payments.failed.refund', { reason: errorText(order.error) }) : ''}
      </FormAlert>
      <DialogActions>
        <BusyButton
          type="submit"
          data-color="danger"
          busy={order.isPending}
          onClick={(event) => {
            // The second of two clicks would say a second time that it was ordered.
            if (event.detail > 1) event.preventDefault();
          }}
        >
          {fits
            ? t('payments.refund.action', { amount: exactKroner(ore) })
            : t('payments.refund.open')}
        </BusyButton>
        <Button type="button" variant="secondary" onClick={onClose}>
          {tc('actions.cancel')}
        </Button>
      </DialogActions>
    </form>
  );
}
