import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { Alert, Button } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ConsentBox, currentConsent } from '#components/card-payment/consent-box.tsx';
import { PurchaseTerms } from '#components/card-payment/purchase-terms.tsx';
import { useConsent } from '#components/card-payment/use-consent.ts';
import { usePriceText } from '#components/card-payment/use-price-text.ts';
import { DefinitionList } from '#components/definition-list.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { useErrorText } from '#lib/error-text.ts';
import { createRegistrationIntent } from '../api.ts';
import type { PendingRegistration } from '../pending-registration.ts';
import styles from './billing-step.module.css';

type BillingStepProps = {
  pending: PendingRegistration;
  /** What is bought has changed meanwhile. */
  onIntent: (intent: IntentResponse) => void;
  onProceed: (intent: IntentResponse) => void;
  onBack: () => void;
  onCancel: () => void;
};

/** What one is about to buy, and for whom, before any card is asked for. */
export function BillingStep(props: BillingStepProps) {
  const { pending, onIntent, onProceed, onBack, onCancel } = props;
  const { person, intent } = pending;
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  const priceText = usePriceText();
  const consent = useConsent();
  const [changed, setChanged] = useState(false);
  const free = intent.client_secret === null;
  const agree = useMutation({
    mutationFn: () =>
      createRegistrationIntent({
        email: person.email,
        username: person.username,
        language: currentLanguage(),
        consent_version: currentConsent(),
      }),
    onSuccess: (next) => {
      const same = next.amount === intent.amount && next.service_days === intent.service_days;
      setChanged(!same);
      if (same) onProceed(next);
      else onIntent(next);
    },
  });

  function proceed() {
    if (free) onProceed(intent);
    else if (consent.isGiven()) agree.mutate();
  }

  const price = free ? t('landing.pricing_free') : priceText(intent.amount);
  const access = {
    label: t('payment.access'),
    value: t('payment.days', { count: intent.service_days }),
  };
  return (
    <>
      <h1>{t('registration.billing_title')}</h1>
      <h2>{t(free ? 'registration.billing_step_free' : 'registration.billing_step')}</h2>
      <p>{t(free ? 'registration.billing_text_free' : 'registration.billing_text')}</p>
      {changed && (
        <Alert data-color="warning" data-size="sm" role="alert">
          {t('purchase:payment.price_changed')}
        </Alert>
      )}
      <DefinitionList
        rows={[
          { label: t('fields.email'), value: person.email },
          { label: t('fields.username'), value: person.username },
          { label: t('payment.price'), value: price },
          ...(free ? [] : [access]),
        ]}
      />
      {!free && (
        <>
          <PurchaseTerms />
          <ConsentBox {...consent.box} />
        </>
      )}
      <FormAlert>
        {agree.error && t('payment.intent_failed', { message: errorText(agree.error) })}
      </FormAlert>
      <div className={styles.actions}>
        <BusyButton busy={agree.isPending} onClick={proceed}>
          {t(free ? 'registration.create_free' : 'payment.proceed')}
        </BusyButton>
        <Button variant="tertiary" onClick={onBack}>
          {t('purchase:payment.change_details')}
        </Button>
        <Button variant="tertiary" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
      </div>
    </>
  );
}
