import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { useInSight } from '#lib/use-in-sight.ts';
import type { DeliveryFailure } from '../../answers-store.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';
import { DeliveryProblem } from './delivery-problem.tsx';

/** A network that is away for a second does not have to be explained; a longer wait does. */
const SHOWN_AFTER = 2;
const isShown = ({ failures, told, stopped }: DeliveryFailure) =>
  failures >= SHOWN_AFTER || told || stopped;

export function RunFailures({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const { refusal, end, cancel, saving } = run;
  if (saving.problem && isShown(saving.problem)) {
    return (
      <InSight key={String(saving.problem.stopped)}>
        <DeliveryProblem run={run} />
      </InSight>
    );
  }
  if (refusal) {
    const status = statusText(refusal);
    return (
      <InSight>
        <RetryAlert title={t('quiz.failed.answer', { status })}>{errorText(refusal)}</RetryAlert>
      </InSight>
    );
  }
  if (end.isError && !run.finishing) {
    const status = statusText(end.error);
    return (
      <InSight>
        <RetryAlert
          onRetry={mayPass(end.error) ? () => void run.finish() : undefined}
          busy={run.finishing}
        >
          {t('quiz.failed.end', { status })}
        </RetryAlert>
      </InSight>
    );
  }
  if (cancel.isError) {
    const status = statusText(cancel.error);
    return (
      <InSight>
        <RetryAlert onRetry={mayPass(cancel.error) ? () => cancel.mutate() : undefined}>
          {t('quiz.failed.cancel', { status })}
        </RetryAlert>
      </InSight>
    );
  }
  return null;
}

function InSight({ children }: { children: ReactNode }) {
  return (
    <div data-failure ref={useInSight<HTMLDivElement>()}>
      {children}
    </div>
  );
}
