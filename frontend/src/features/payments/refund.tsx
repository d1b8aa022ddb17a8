import { Textfield } from '@digdir/designsystemet-react';
import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { MAX_NOTE_LENGTH } from '@proveklar/contract/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckedForm } from '#components/admin/checked-form.ts';
import { notify } from '#components/admin/notify.ts';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatKroner } from '#lib/format.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { daysTakenBackBy, readKroner, toKroner } from './amounts.ts';
import { paymentsKeys, refundPayment } from './api.ts';
import styles from './payments.module.css';

type RefundDialogProps = { payment: PaymentDetails; open: boolean; onClose: () => void };

/** The form to refund a payment, wholly or partly. */
export function RefundDialog({ payment, open, onClose }: RefundDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <AppDialog open={open} onClose={onClose} title={t('payments.refund.title')}>
      <RefundForm payment={payment} onClose={onClose} />
    </AppDialog>
  );
}

function RefundForm({ payment, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { t, i18n } = useTranslation('admin');
  const kroner = (ore: number) => formatKroner(ore / 100, i18n.language);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  // One key each time the dialog is opened: two clicks, or a retry after a lost answer, make one refund.
  const [key] = useState(randomUuid);
  const order = useMutation({
    mutationFn: refundPayment,
    onSuccess: (refund) => {
      notify(t('payments.refund.ordered', { amount: kroner(refund.amount) }));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: paymentsKeys.all }),
  });
  const oreOf = (text: string) => {
    const ore = readKroner(text);
    return ore !== null && ore <= payment.refundable ? ore : null;
  };
  // The values when the dialog was opened, so that the amount does not change while it is edited.
  const [values] = useState({ amount: toKroner(payment.refundable), reason_note: '' });
  const form = useCheckedForm({
    values,
    faultsOf: ({ amount }) => (oreOf(amount) === null ? ['amount'] : []),
    onSubmit: ({ amount, reason_note }) => {
      const ore = oreOf(amount);
      if (ore === null) return;
      const reason = reason_note.trim();
      const body = { amount: ore, ...(reason && { reason_note: reason }) };
      order.mutate({ id: payment.id, key, body });
    },
  });
  const ore = oreOf(form.fields.amount);
  const left = kroner(payment.refundable);
  const days = daysTakenBackBy(ore ?? 0, {
    ...payment,
    taken_back: payment.credit?.taken_back ?? 0,
  });

  return (
    <Form
      className={styles.form}
      busy={order.isPending}
      attempt={form.attempt}
      error={order.isError && t('payments.failed.refund', { reason: errorText(order.error) })}
      submit={
        ore === null
          ? t('payments.refund.open')
          : t('payments.refund.action', { amount: kroner(ore) })
      }
      button={{
        'data-color': 'danger',
        onClick: (event) => {
          // Ignores the second click of a double click, which would show a second notice.
          if (event.detail > 1) event.preventDefault();
        },
      }}
      onSubmit={form.submit}
      onCancel={onClose}
    >
      <p>{t('payments.refund.text', { email: payment.email ?? t('payments.deleted') })}</p>
      <Textfield
        {...form.field('amount')}
        label={t('payments.refund.amount')}
        description={t('payments.refund.left', { left })}
        inputMode="decimal"
        error={form.faults.amount && t('payments.refund.wrong', { least: kroner(1), left })}
      />
      <Textfield
        {...form.field('reason_note')}
        label={t('payments.refund.note')}
        description={t('payments.refund.note_what')}
        maxLength={MAX_NOTE_LENGTH}
      />
      {payment.credit && ore !== null && (
        <p role="status">{t('payments.refund.days', { count: days })}</p>
      )}
    </Form>
  );
}
