import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { formatNok } from '#lib/format.ts';
import type { PendingRegistration } from '../pending-registration.ts';
import styles from './billing-step.module.css';

type BillingStepProps = {
  pending: PendingRegistration;
  onProceed: () => void;
  onCancel: () => void;
};

/** What one is about to buy, and for whom, before any card is asked for. */
export function BillingStep({
  pending: { person, intent },
  onProceed,
  onCancel,
}: BillingStepProps) {
  const { t } = useTranslation();
  const free = intent.client_secret === null;
  const price = free
    ? t('landing.pricing_free')
    : t('payment.price_vat', { price: formatNok(intent.amount) });
  return (
    <>
      <h1>{t('registration.billing_title')}</h1>
      <h2>{t(free ? 'registration.billing_step_free' : 'registration.billing_step')}</h2>
      <p>{t(free ? 'registration.billing_text_free' : 'registration.billing_text')}</p>
      <DefinitionList
        rows={[
          { label: t('fields.email'), value: person.email },
          { label: t('fields.username'), value: person.username },
          { label: t('payment.price'), value: price },
          ...(free
            ? []
            : [
                {
                  label: t('payment.access'),
                  value: t('payment.days', { count: intent.service_days }),
                },
              ]),
        ]}
      />
      {!free && <p className="muted">{t('payment.no_subscription')}</p>}
      <div className={styles.actions}>
        <Button onClick={onProceed}>
          {t(free ? 'registration.create_free' : 'payment.proceed')}
        </Button>
        <Button variant="tertiary" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
      </div>
    </>
  );
}
