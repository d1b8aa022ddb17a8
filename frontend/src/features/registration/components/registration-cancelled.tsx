import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

/** Left for good: nothing was paid, and nothing is kept. */
export function RegistrationCancelled({ onStartAgain }: { onStartAgain: () => void }) {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <>
      <h1>{t('purchase:payment.problem.cancelled_title')}</h1>
      <p>{t('purchase:payment.problem.cancelled_text')}</p>
      <Button onClick={onStartAgain}>{t('purchase:payment.start_again')}</Button>
      <ButtonLink to="/" variant="tertiary">
        {t('actions.to_front_page')}
      </ButtonLink>
    </>
  );
}
