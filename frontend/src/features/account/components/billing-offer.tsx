import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { Alert } from '@digdir/designsystemet-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { ConsentBox, currentConsent } from '#components/card-payment/consent-box.tsx';
import { PaidLink } from '#components/card-payment/paid-link.tsx';
import { PurchaseTerms } from '#components/card-payment/purchase-terms.tsx';
import { useConsent } from '#components/card-payment/use-consent.ts';
import { usePriceText } from '#components/card-payment/use-price-text.ts';
import { WaitingDays } from '#components/waiting-days.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import type { Waiting } from '#lib/waiting-of.ts';
import { createIntent } from '../api.ts';
import type { DaysTone } from '../days-tone.ts';
import styles from './billing-screen.module.css';

type BillingOfferProps = {
  tone: DaysTone | undefined;
  /** Days that are paid for and begin later. */
  waiting: Waiting;
  /** Access may come back by itself: then paying is not the first thing to do. */
  onHold: boolean;
  onIntent: (intent: IntentResponse) => Promise<void>;
};

/** What more days cost, and the way to pay for them; or that they cost nothing now. */
export function BillingOffer({ tone, waiting, onHold, onIntent }: BillingOfferProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: config } = useQuery(configQuery);
  const priceText = usePriceText();
  const consent = useConsent();
  const begin = useMutation({
    mutationFn: async () => onIntent(await createIntent({ consent_version: currentConsent() })),
  });
  const isFree =
    config?.price === 0 || (begin.error instanceof ApiError && begin.error.code === 'service_free');
  if (isFree) {
    return (
      <>
        <Alert data-color="info">{t('billing.free')}</Alert>
        <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
      </>
    );
  }
  return (
    <>
      <WaitingDays waiting={waiting} />
      {tone === 'none' && waiting.length === 0 && <p>{t('billing.needed')}</p>}
      {tone === 'expired' && !onHold && waiting.length === 0 && <p>{t('account.expired_text')}</p>}
      {config ? (
        <p className={styles.offer}>
          <strong>{priceText(config.price * 100)}</strong>
          <span>
            {t(tone === 'none' ? 'billing.text_new' : 'billing.text', {
              count: config.service_days,
            })}
          </span>
        </p>
      ) : (
        <span className="ds-skeleton" style={{ height: '3rem' }} />
      )}
      <PurchaseTerms />
      <ConsentBox {...consent.box} />
      <FormAlert>
        {begin.error && t('payment.intent_failed', { message: errorText(begin.error) })}
      </FormAlert>
      <BusyButton
        className={styles.proceed}
        variant={onHold ? 'secondary' : 'primary'}
        busy={begin.isPending}
        onClick={() => consent.isGiven() && begin.mutate()}
      >
        {t('payment.proceed')}
      </BusyButton>
      <PaidLink />
    </>
  );
}
