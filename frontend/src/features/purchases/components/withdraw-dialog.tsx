import { Button } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatKroner } from '#lib/format.ts';
import { purchaseKeys, withdraw } from '../api.ts';

type WithdrawDialogProps = {
  open: boolean;
  /** The payment's. */
  id: string;
  /** Øre: what the learner agrees to get back. */
  refundAmount: number;
  onClose: () => void;
};

/** Asks before a purchase is withdrawn from, with what is paid back and what ends. */
export function WithdrawDialog({ open, id, refundAmount, onClose }: WithdrawDialogProps) {
  const { t, i18n } = useTranslation('purchase');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (amount: number) => withdraw(id, { refund_amount: amount }),
    // After a refusal too: what it was refused for is read, and the amount is the one of now.
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
