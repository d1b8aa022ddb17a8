import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { topicLabel } from '../../topic-label.ts';
import styles from './quiz-result.module.css';
import { ResultVerdict } from './result-verdict.tsx';
import { WrongAnswers } from './wrong-answers.tsx';

export function QuizResult({ session }: { session: QuizSession }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const wrong = session.questions.filter(({ uuid }) => session.answers[uuid]?.correct !== true);

  return (
    <div className={styles.result}>
      <section className={styles.card}>
        <p className={styles.topic}>{topicLabel(session.topic, t)}</p>
        <ResultVerdict session={session} />
        <div className={styles.actions}>
          <ButtonLink to="/quiz">{t('result.again')}</ButtonLink>
          {wrong.length > 0 && (
            <Button
              variant="secondary"
              aria-expanded={shown}
              aria-controls="wrong-answers"
              onClick={() => setShown(!shown)}
            >
              {shown ? t('result.hide_wrong') : t('result.show_wrong', { count: wrong.length })}
            </Button>
          )}
        </div>
        {wrong.length === 0 && <p className="muted">{t('result.all_right')}</p>}
      </section>
      <div id="wrong-answers" hidden={!shown}>
        {shown && <WrongAnswers session={session} wrong={wrong} />}
      </div>
    </div>
  );
}
