import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import type { QuizKeysState } from '../../run/use-quiz-keys.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import { AutoAdvance } from './auto-advance.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import styles from './run-actions.module.css';

type RunActionsProps = {
  run: QuizRunState;
  keys: QuizKeysState;
  canGoOn: boolean;
  onGoOn: (byPointer: boolean) => void;
  onFinish: () => void;
};

export function RunActions({ run, keys, canGoOn, onGoOn, onFinish }: RunActionsProps) {
  const { t } = useTranslation('learner');
  const { isTest, isLast, index, finishing } = run;
  const allAnswered = run.answered === run.total;
  return (
    <div className={styles.actions}>
      <AutoAdvance run={run} />
      <div className={styles.buttons}>
        {run.goesBack && (
          <Button variant="secondary" disabled={index === 0} onClick={run.previous}>
            {t('run.previous')}
          </Button>
        )}
        {isTest && !isLast && allAnswered && (
          <Button variant="secondary" disabled={finishing} onClick={onFinish}>
            {t('run.hand_in')}
          </Button>
        )}
        <Button
          disabled={!canGoOn || finishing}
          loading={finishing && !run.saving.problem}
          onClick={(event) => onGoOn(event.detail > 0)}
        >
          {isLast ? t(isTest ? 'run.hand_in' : 'run.finish') : t('run.next')}
        </Button>
      </div>
      <KeyboardHelp keys={keys} options={run.question.options.length} />
    </div>
  );
}
