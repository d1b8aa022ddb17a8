import { Switch } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import styles from './run-actions.module.css';

/** Whether it goes on by itself, and once, when it first did too soon, what to do about that. */
export function AutoAdvance({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.auto}>
      <Switch
        data-size="sm"
        label={t('run.auto_advance')}
        checked={run.autoAdvance}
        onChange={(event) => run.setAutoAdvance(event.currentTarget.checked)}
      />
      {run.hintsAtReading && <p>{t('run.reading_hint')}</p>}
    </div>
  );
}
