import '#theme/components.css';
import { useLoaderData } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { MessagePage } from '#components/message-page.tsx';
import { OwnQuizRun } from '#features/quiz/components/run/own-quiz-run.tsx';

export function QuizRunRoute() {
  const { t } = useTranslation('learner');
  const session = useLoaderData({ from: '/identified/signed-in/quiz/$id' });
  if (session.state === 'cancelled') {
    return (
      <MessagePage title={t('run.cancelled_title')} text={t('run.cancelled_text')}>
        <ButtonLink to="/quiz">{t('result.again')}</ButtonLink>
      </MessagePage>
    );
  }
  return <OwnQuizRun key={session.id} session={session} />;
}
