import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { ApiError } from '#lib/api-error.ts';
import { quizQuery } from '../../api/get-quiz.ts';
import { countAnswered } from '../../run/quiz-position.ts';
import { forgetOpenQuiz, readOpenQuiz } from '../../run/open-quiz.ts';
import { topicLabel } from '../../topic-label.ts';
import styles from './continue-quiz.module.css';

/** The way back into a quiz that was left by closing the tab, a crash or the Back button. */
export function ContinueQuiz() {
  const { t } = useTranslation();
  const [id] = useState(readOpenQuiz);
  const { data: session, error } = useQuery({ ...quizQuery(id ?? ''), enabled: id !== null });

  // Ended elsewhere, or another person's, who used this browser before.
  const isGone = error instanceof ApiError && error.status >= 400 && error.status < 500;
  const isOver = session !== undefined && session.state !== 'open';
  useEffect(() => {
    if (isGone || isOver) forgetOpenQuiz();
  }, [isGone, isOver]);

  if (!session || isOver) return null;
  return (
    <section className={styles.card} aria-labelledby="continue-title">
      <div>
        <h2 id="continue-title">{t('quiz.continue_title')}</h2>
        <p>
          {t('quiz.continue_text', {
            topic: topicLabel(session.topic, t),
            n: countAnswered(session.questions, session.answers),
            total: session.questions.length,
          })}
        </p>
      </div>
      <ButtonLink to="/quiz/$id" params={{ id: session.id }} data-color="accent">
        {t('quiz.continue')}
      </ButtonLink>
    </section>
  );
}
