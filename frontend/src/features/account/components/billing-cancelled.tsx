import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

type BillingCancelledProps = {
  /** Whether the server has said so. */
  known: boolean;
  onStartAgain: () => void;
};

/** Left for good. To begin again is safe also where it is not known whether that came through. */
export function BillingCancelled({ known, onStartAgain }: BillingCancelledProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const problem = known ? 'cancelled' : 'cancel_unknown';
  return (
    <>
      <Alert data-color="info" role="status">
        <h2>{t(`purchase:payment.problem.${problem}_title`)}</h2>
        <p>{t(`purchase:payment.problem.${problem}_text`)}</p>
      </Alert>
      <ButtonLink to="/quiz">{t('actions.to_quiz_home')}</ButtonLink>
      <Button variant="tertiary" onClick={onStartAgain}>
        {t('purchase:payment.start_again')}
      </Button>
    </>
  );
}
