import { Button, Switch } from '@digdir/designsystemet-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStored } from '#lib/use-stored.ts';
import { actionOf, placeOf } from './quiz-keys.ts';
import { optionLetter } from './quiz-position.ts';
import styles from './run-controls.module.css';
import type { QuizRunState } from './use-quiz-run.ts';

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

type QuizKeys = {
  options: string[];
  onOption: (option: string) => void;
  onNext: () => void;
  /** Where questions can be marked. */
  onMark?: (() => void) | undefined;
};
type QuizKeysState = ReturnType<typeof useQuizKeys>;

/**
 * 1–9 and A–I choose, M marks, Enter goes on: wherever the focus is on the page, because a click beside the
 * text or a closed dialog takes it anywhere; but not under a dialog. Letters and digits can be turned
 * off (WCAG 2.1.4), by a switch that is there as soon as a keyboard is in use.
 */
export function useQuizKeys(keys: QuizKeys) {
  const [letters, setLetters] = useStored('proveklar.quiz-keys', ['on', 'off'], 'on');
  const [used, setUsed] = useState(false);
  const latest = useRef({ ...keys, letters });
  useEffect(() => {
    latest.current = { ...keys, letters };
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // The keys that a screen shows are pressed in a field only.
      if (placeOf(event.target) !== 'field') setUsed(true);
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const { options, onOption, onNext, onMark } = latest.current;
      const action = actionOf(event, placeOf(event.target), {
        options,
        letters: latest.current.letters === 'on',
        marks: onMark !== undefined,
      });
      if (action === undefined) return;
      if (action === 'mark') onMark?.();
      else if (action === 'next') {
        // Else the option that has the focus would be pressed, too.
        event.preventDefault();
        onNext();
      } else onOption(action.choose);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    letters: letters === 'on',
    setLetters: (on: boolean) => setLetters(on ? 'on' : 'off'),
    marks: keys.onMark !== undefined,
    /** A key was pressed: there is a keyboard, even on a phone. */
    used,
  };
}
