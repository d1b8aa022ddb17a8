import { Button, Switch } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { optionLetter } from '../../quiz-position.ts';
import type { QuizKeysState } from '../../run/use-quiz-keys.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';
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

/** Whether it goes on by itself, and once, when it first did too soon, what to do about that. */
function AutoAdvance({ run }: { run: QuizRunState }) {
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

/** Which keys do what, and the switch that turns letters and digits off. */
function KeyboardHelp({ keys, options }: { keys: QuizKeysState; options: number }) {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.keys} data-used={keys.used || undefined}>
      <p>
        {t('run.keyboard', { n: options, letter: optionLetter(options - 1) })}{' '}
        {keys.marks && t('practice.keyboard_mark')}
      </p>
      <Switch
        data-size="sm"
        label={t('run.letter_keys')}
        checked={keys.letters}
        onChange={(event) => keys.setLetters(event.currentTarget.checked)}
      />
    </div>
  );
}
