import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

type RegistrationCancelledProps = {
  /** Whether the server has said so. */
  known: boolean;
  onStartAgain: () => void;
};

/** Left for good. To begin again is safe also where it is not known whether that came through. */
export function RegistrationCancelled({ known, onStartAgain }: RegistrationCancelledProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const problem = known ? 'cancelled' : 'cancel_unknown';
  return (
    <>
      <h1>{t(`purchase:payment.problem.${problem}_title`)}</h1>
      <p>{t(`purchase:payment.problem.${problem}_text`)}</p>
      <Button onClick={onStartAgain}>{t('purchase:payment.start_again')}</Button>
      <ButtonLink to="/" variant="tertiary">
        {t('actions.to_front_page')}
      </ButtonLink>
    </>
  );
}
