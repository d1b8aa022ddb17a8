import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { identity } from '#lib/session.ts';
import styles from './new-quiz.module.css';
import { TooManyOpen } from './too-many-open.tsx';

type StartFailureProps = {
  error: Error | null;
  /** Starts the same quiz, when there is room for it. */
  onRetry: () => void;
};

/** Why no quiz was started. */
export function StartFailure({ error, onRetry }: StartFailureProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const errorText = useErrorText();
  const status = error instanceof ApiError ? error.status : undefined;
  // Somebody without access is taken to the payment, which says it better than an error would.
  if (!error || status === 402) return null;
  if (error instanceof ApiError && error.code === 'too_many_open') {
    return <TooManyOpen error={error} onRoom={onRetry} />;
  }
  const seconds = status === 429 && error instanceof ApiError ? error.retryAfterS : undefined;
  return (
    <div className={styles.failure}>
      <FormAlert>
        {status === 401 ? (
          <div className={styles.signedOut}>
            {t('quiz.failed.not_signed_in')}
            <Button
              variant="secondary"
              data-size="sm"
              // The form to sign in again stands where nobody is signed in.
              onClick={() => void identity().then((provider) => provider.signOut())}
            >
              {t('translation:actions.sign_in')}
            </Button>
          </div>
        ) : (
          [
            t('quiz.failed.start', { status: statusText(error) }),
            error instanceof ApiError && error.code === 'language_not_offered' && errorText(error),
            seconds && t('quiz.failed.start_wait', { count: Math.ceil(seconds / 60) }),
          ]
            .filter(Boolean)
            .join(' ')
        )}
      </FormAlert>
    </div>
  );
}
