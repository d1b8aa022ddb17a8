import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { ErrorScreen } from './error-screen.tsx';

/** Shown when a quiz or its result could not be loaded. */
export function QuizErrorScreen(props: ErrorComponentProps) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const text =
    props.error instanceof ApiError
      ? t('quiz.failed.session', { status: statusText(props.error) })
      : undefined;
  return <ErrorScreen {...props} text={text} />;
}
