import { Alert } from '@digdir/designsystemet-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { SettlingPayment } from '#components/card-payment/settling-payment.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard } from '#components/form-card.tsx';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatNok } from '#lib/format.ts';
import { createIdempotencyKeys } from '#lib/idempotency-key.ts';
import { confirmPayment } from '../api/confirm-payment.ts';
import { createIntent } from '../api/create-intent.ts';
import { accountQuery } from '../api/get-account.ts';
import { daysTone } from '../days-tone.ts';
import { accountKeys } from '../keys.ts';
import { AccountDetails } from './account-details.tsx';
import { BillingSuccess } from './billing-success.tsx';
import styles from './billing-screen.module.css';

/** Gives access or extends it: what one has, what one gets, the card, and the result. */
export function BillingScreen() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const { data: service } = useQuery(accountQuery);
  const tone = service && daysTone(service);
  const [keyOf] = useState(createIdempotencyKeys);
  const intent = useMutation({ mutationFn: () => createIntent(keyOf('extend')) });
  const confirm = useMutation({
    mutationFn: confirmPayment,
    // Afterwards everybody has had access.
    onMutate: () => ({ isNew: tone === 'none' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.all }),
  });

  const isNew = confirm.context?.isNew ?? tone === 'none';
  const isFree =
    config?.price === 0 ||
    (intent.error instanceof ApiError && intent.error.code === 'service_free');
  const clientSecret = intent.data?.client_secret ?? null;

  return (
    <FormCard>
      <h1>{t(isNew ? 'account.get_access' : 'billing.title')}</h1>
      {!isFree && tone === 'none' && <p>{t('billing.needed')}</p>}
      {!isFree && tone === 'expired' && <p>{t('account.expired_text')}</p>}
      <AccountDetails brief />
      {isFree && (
        <>
          <Alert data-color="info">{t('billing.free')}</Alert>
          <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
        </>
      )}
      {!isFree && !clientSecret && (
        <>
          {config ? (
            <p className={styles.offer}>
              <strong>{t('payment.price_vat', { price: formatNok(config.price * 100) })}</strong>
              <span>
                {t(isNew ? 'billing.text_new' : 'billing.text', { count: config.service_days })}
              </span>
            </p>
          ) : (
            <span className="ds-skeleton" style={{ height: '3rem' }} />
          )}
          <FormAlert>
            {intent.error && t('payment.intent_failed', { message: errorText(intent.error) })}
          </FormAlert>
          <BusyButton
            className={styles.proceed}
            busy={intent.isPending}
            onClick={() => intent.mutate()}
          >
            {t('payment.proceed')}
          </BusyButton>
        </>
      )}
      {intent.data && clientSecret && confirm.isIdle && (
        <LazyCardPayment
          clientSecret={clientSecret}
          amount={intent.data.amount}
          serviceDays={intent.data.service_days}
          onPaid={(id) => confirm.mutate({ payment_intent_id: id })}
          onCancel={() => intent.reset()}
        />
      )}
      <SettlingPayment
        paid
        error={confirm.error}
        busy={confirm.isPending}
        onRetry={() => confirm.variables && confirm.mutate(confirm.variables)}
      />
      {confirm.data && <BillingSuccess days={confirm.data.days_remaining} isNew={isNew} />}
    </FormCard>
  );
}
