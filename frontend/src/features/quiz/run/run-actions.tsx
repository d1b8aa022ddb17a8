import { Button, Switch } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStored } from '#lib/use-stored.ts';
import { optionLetter } from '../option-letter.ts';
import { NoVoice } from '../read-aloud.tsx';
import { actionOf, placeOf } from './quiz-keys.ts';
import styles from './run-controls.module.css';
import type { QuizRunState } from './use-quiz-run.ts';

type RunFootProps = {
  run: QuizRunState;
  canGoOn: boolean;
  onGoOn: (byPointer: boolean) => void;
  onFinish: () => void;
  /** The feedback on the answer. */
  children: ReactNode;
};

/** The bottom of the screen: the feedback on an answer, and the way on. */
export function RunFoot({ run, canGoOn, onGoOn, onFinish, children }: RunFootProps) {
  const { t } = useTranslation('learner');
  const { isTest, isLast, index, finishing } = run;
  const allAnswered = run.answered === run.total;
  const foot = useRoomBelow();
  return (
    <div ref={foot} className={styles.foot}>
      {children}
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
    </div>
  );
}

/** What gets the focus must not lie under this element, whose height changes, while it sticks to the bottom. */
function useRoomBelow() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const sticks = entry && getComputedStyle(entry.target).position === 'sticky';
      const height = (sticks && entry.borderBoxSize[0]?.blockSize) || 0;
      style.scrollPaddingBottom = `${Math.ceil(height) + ROOM_BELOW}px`;
    });
    if (element.current) observer.observe(element.current);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, []);
  return element;
}

/** In pixels; for the outline of a focused element. */
const ROOM_BELOW = 8;

/** The switch for auto-advance, what to know of reading aloud, and the help for keys. */
export function RunSettings({ run, keys }: { run: QuizRunState; keys: QuizKeysState }) {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.settings}>
      <Switch
        data-size="sm"
        label={t('run.auto_advance')}
        checked={run.autoAdvance}
        onChange={(event) => run.setAutoAdvance(event.currentTarget.checked)}
      />
      <NoVoice language={run.question.language} />
      <KeyboardHelp keys={keys} options={run.question.options.length} />
    </div>
  );
}

/** The help for keys, with the switch for letters and digits. */
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
  /** Set if questions can be marked. */
  onMark?: (() => void) | undefined;
};
type QuizKeysState = ReturnType<typeof useQuizKeys>;

/**
 * 1–9 and A–I choose, M marks, Enter advances, wherever the focus is on the page: a click beside the text or
 * a closed dialog can leave it anywhere. Not while a dialog is open. Letters and digits can be turned off
 * (WCAG 2.1.4) by a switch that appears once a keyboard is used.
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
      // On-screen keyboards type only in fields, so another key means a real keyboard.
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
        // Otherwise the focused option would be pressed, too.
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
    /** Whether a keyboard is used, even on a phone. */
    used,
  };
}
