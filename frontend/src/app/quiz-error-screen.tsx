import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusAdvice } from '#lib/error-text.ts';
import { ErrorScreen } from './error-screen.tsx';

/** Shown when a quiz or its result could not be loaded. */
export function QuizErrorScreen(props: ErrorComponentProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusAdvice = useStatusAdvice();
  const text =
    props.error instanceof ApiError
      ? t('quiz.failed.session', { status: statusAdvice(props.error) })
      : undefined;
  const overview = (
    <ButtonLink to="/quiz" variant="secondary">
      {t('translation:actions.to_quiz_home')}
    </ButtonLink>
  );
  return <ErrorScreen {...props} text={text} otherWay={overview} />;
}
