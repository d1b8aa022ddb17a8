import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';

type FreeRegistrationProblemProps = {
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  onBack: () => void;
};

/** Nothing was paid, so what failed is only the account: again, or with something else in the form. */
export function FreeRegistrationProblem(props: FreeRegistrationProblemProps) {
  const { error, busy, onRetry, onBack } = props;
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  return (
    <>
      <RetryAlert busy={busy} onRetry={mayPass(error) ? onRetry : undefined}>
        {t('registration.failed', { message: errorText(error) })}
      </RetryAlert>
      <Button variant="secondary" onClick={onBack}>
        {t('purchase:payment.change_details')}
      </Button>
    </>
  );
}
