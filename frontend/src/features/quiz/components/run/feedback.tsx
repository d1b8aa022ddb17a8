import { Switch } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/language.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import { Explanation } from './explanation.tsx';
import styles from './feedback.module.css';

/**
 * What is said after an answer: aloud whether it was right, and on the screen why. Above it, where
 * nothing covers it, the switch that decides how long it stands.
 */
export function Feedback({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { given, question, instant } = run;
  if (!instant) return null;
  const result = given?.result;

  let announcement = '';
  if (given?.fresh && result?.correct === true) announcement = t('run.announce_right');
  if (given?.fresh && result?.correct === false) {
    announcement = t('run.announce_wrong', { answer: result.correct_answer ?? '' });
  }
  if (given?.status === 'sending') announcement = t('run.checking');

  return (
    <div className={styles.place}>
      <p role="status" className="ds-sr-only">
        {announcement}
      </p>
      <Switch
        label={t('run.auto_advance')}
        checked={run.autoAdvance}
        onChange={(event) => run.setAutoAdvance(event.currentTarget.checked)}
      />
      {result?.explanation && (
        <Explanation
          key={question.uuid}
          text={result.explanation}
          source={result.source_url}
          lang={languageTag(question.language)}
          onRead={run.holdForReading}
        />
      )}
    </div>
  );
}
