import type { AccountResponse } from '@proveklar/contract/account.ts';
import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { formatDate } from '#lib/format.ts';

type BillingExtendedProps = { service: AccountResponse; onPayMore: () => void };

/** A payment made elsewhere was settled while one was about to pay: nobody pays again by mistake. */
export function BillingExtended({ service, onPayMore }: BillingExtendedProps) {
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const date = formatDate(service.account.service_expires_at ?? '', i18n.language);
  return (
    <>
      <Alert data-color="success" role="status">
        <h2>{t('purchase:payment.extended.title')}</h2>
        <p>{t('purchase:payment.extended.text', { date })}</p>
      </Alert>
      <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
      <Button variant="tertiary" onClick={onPayMore}>
        {t('purchase:payment.extended.pay_more')}
      </Button>
    </>
  );
}
