import '#theme/components.css';
import { useLoaderData } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { QuizResult } from '#features/quiz/components/result/quiz-result.tsx';

export function QuizResultRoute() {
  const { t } = useTranslation(['learner', 'translation']);
  const session = useLoaderData({ from: '/identified/signed-in/quiz/$id/result' });
  return (
    <Page
      title={t('result.title')}
      width="text"
      headerActions={
        <ButtonLink to="/quiz" variant="tertiary">
          {t('translation:actions.to_quiz_home')}
        </ButtonLink>
      }
    >
      <QuizResult session={session} />
    </Page>
  );
}
