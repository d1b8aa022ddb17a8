import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

/** Left for good: nothing was paid. */
export function BillingCancelled({ onStartAgain }: { onStartAgain: () => void }) {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <>
      <Alert data-color="info" role="status">
        <h2>{t('purchase:payment.problem.cancelled_title')}</h2>
        <p>{t('purchase:payment.problem.cancelled_text')}</p>
      </Alert>
      <ButtonLink to="/quiz">{t('actions.to_quiz_home')}</ButtonLink>
      <Button variant="tertiary" onClick={onStartAgain}>
        {t('purchase:payment.start_again')}
      </Button>
    </>
  );
}
