import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useStatusText } from '#lib/error-text.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';

export function RunFailures({ run }: { run: QuizRunState }) {
  const { t } = useTranslation();
  const statusText = useStatusText();
  const { failure, end, cancel } = run;
  if (failure) {
    const status = statusText(failure.error);
    return (
      <RetryAlert onRetry={run.retry} title={t('quiz.failed.answer', { status })}>
        {t('quiz.kept')}
      </RetryAlert>
    );
  }
  if (end.isError) {
    const status = statusText(end.error);
    return (
      <RetryAlert onRetry={() => void run.finish()} busy={run.finishing}>
        {t('quiz.failed.end', { status })}
      </RetryAlert>
    );
  }
  if (cancel.isError) {
    const status = statusText(cancel.error);
    return (
      <RetryAlert onRetry={() => cancel.mutate()}>{t('quiz.failed.cancel', { status })}</RetryAlert>
    );
  }
  return null;
}
